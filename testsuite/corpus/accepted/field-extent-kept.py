# The buffer keeps the extent that the field had; the loop uses what was saved.


@config
class Cfg:
    n: size


@proc
def p(n: size):
    Cfg.n = n
    t: f32[Cfg.n]
    Cfg.n = n + 1
    for i in seq(0, Cfg.n - 1):
        t[i] = 0.0
