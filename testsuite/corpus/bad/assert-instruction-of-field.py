# An instruction that works only after the field was set.
# expect: call.assert 20:5 assertion 1 of `go` may not hold here: `Cfg.ready == True`
# because: for Cfg.ready = False: it is False
# run: p Cfg.ready=False


@config
class Cfg:
    ready: bool


@instr("go({x});")
def go(x: f32):
    assert Cfg.ready == True
    x = 0.0


@proc
def p(x: f32):
    go(x)
