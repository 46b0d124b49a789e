# A field that is a size is at least 1, whatever a loop does to it.


@config
class Cfg:
    n: size


@proc
def p():
    for i in seq(0, 4):
        t: f32[Cfg.n]
        t[Cfg.n - 1] = 0.0
        Cfg.n = Cfg.n + i
