# The field holds the extent again.


@config
class Cfg:
    n: size


@proc
def fill(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0


@proc
def p(n: size, x: f32[n]):
    Cfg.n = 7
    Cfg.n = n
    fill(Cfg.n, x)
