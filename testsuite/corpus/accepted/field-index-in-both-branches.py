# Both branches leave the field within bounds.


@config
class Cfg:
    at: index


@proc
def p(n: size, b: bool, x: f32[n]):
    if b:
        Cfg.at = 0
    else:
        Cfg.at = n - 1
    x[Cfg.at] = 0.0
