# The field is set, and reset by another call.
# expect: call.assert 27:5 assertion 1 of `go` may not hold here: `Cfg.mode == 1`
# because: it is False
# run: p Cfg.mode=0


@config
class Cfg:
    mode: int


@proc
def reset():
    Cfg.mode = 0


@proc
def go(x: f32):
    assert Cfg.mode == 1
    x = 0.0


@proc
def p(x: f32):
    Cfg.mode = 1
    reset()
    go(x)
