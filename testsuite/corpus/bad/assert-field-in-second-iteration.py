# The first iteration leaves the field in the wrong mode.
# expect: call.assert 22:9 assertion 1 of `go` may not hold here: `Cfg.mode == 1`
# because: for i = 1: it reads 2 == 1
# run: p Cfg.mode=0


@config
class Cfg:
    mode: int


@proc
def go(x: f32):
    assert Cfg.mode == 1
    x = 0.0


@proc
def p(x: f32):
    Cfg.mode = 1
    for i in seq(0, 2):
        go(x)
        Cfg.mode = 2
