# expect: type.data-comparison 11:12 `==` cannot compare data
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(x: f32):
    assert Cfg.scale == 1.0
    pass
