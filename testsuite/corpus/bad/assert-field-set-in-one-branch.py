# Only one branch sets the field.
# expect: call.assert 22:5 assertion 1 of `go` may not hold here: `Cfg.mode == 1`
# because: for b = False, Cfg.mode = 0: it reads 0 == 1
# run: p b=False Cfg.mode=0


@config
class Cfg:
    mode: int


@proc
def go(x: f32):
    assert Cfg.mode == 1
    x = 0.0


@proc
def p(b: bool, x: f32):
    if b:
        Cfg.mode = 1
    go(x)
