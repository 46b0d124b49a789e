# expect: type.scalar-argument 15:11 argument `x` of `twice` is passed by reference
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def twice(x: f32):
    x = 2.0 * x

@proc
def p():
    twice(Cfg.scale)
