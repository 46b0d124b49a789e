# A callee sets the field.


@config
class Cfg:
    at: index


@proc
def choose(k: index):
    Cfg.at = k


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        choose(i)
        x[Cfg.at] = 0.0
