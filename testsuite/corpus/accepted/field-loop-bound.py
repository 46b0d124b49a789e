# The bound is evaluated once, before the body writes the field.


@config
class Cfg:
    n: size


@proc
def p(x: f32[4]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):
        x[i] = 0.0
        Cfg.n = 5
