# expect: type.control-expected 11:21 a loop bound is control
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(x: f32):
    for i in seq(0, Cfg.scale):
        x = 0.0
