# The loop leaves the last index, or does not run.


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    Cfg.at = 0
    for i in seq(1, n):
        Cfg.at = i
    x[Cfg.at] = 0.0
