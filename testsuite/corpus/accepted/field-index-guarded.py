# A guard on the field itself.


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    if 0 <= Cfg.at and Cfg.at < n:
        x[Cfg.at] = 0.0
