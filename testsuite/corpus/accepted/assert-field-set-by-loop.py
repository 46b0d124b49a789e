# Every iteration needs the mode, and leaves it.


@config
class Cfg:
    mode: int


@proc
def go(x: f32):
    assert Cfg.mode == 1
    x = 0.0


@proc
def p(n: size, x: f32):
    Cfg.mode = 1
    for i in seq(0, n):
        go(x)
        Cfg.mode = 1
