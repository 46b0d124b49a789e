# What a loop counts is not known, but a guard can look at it.


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    Cfg.at = 0
    for i in seq(0, n):
        if 0 <= Cfg.at and Cfg.at < n:
            x[Cfg.at] = 0.0
        Cfg.at = Cfg.at + 2
