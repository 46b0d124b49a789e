# A field that is used as an index, after it was set.


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    Cfg.at = n - 1
    x[Cfg.at] = 0.0
