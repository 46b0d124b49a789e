# A procedure sets the mode for the ones that come after it.


@config
class Cfg:
    mode: int


@proc
def prepare():
    Cfg.mode = 1


@proc
def go(x: f32):
    assert Cfg.mode == 1
    x = 0.0


@proc
def p(x: f32):
    prepare()
    go(x)
    go(x)
