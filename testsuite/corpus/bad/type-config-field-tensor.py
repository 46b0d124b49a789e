# expect: type.tensor-value 11:17 the whole of `x` is not a value
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(x: f32[4]):
    Cfg.scale = x
