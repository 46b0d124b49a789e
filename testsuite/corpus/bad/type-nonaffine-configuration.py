# expect: type.nonaffine 11:21 neither side
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(n: size, x: f32):
    for i in seq(0, n * Cfg.n):
        x = 0.0
