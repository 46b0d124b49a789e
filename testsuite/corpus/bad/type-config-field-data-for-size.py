# expect: type.config-field 11:13 `Cfg.n` has type `size` and cannot hold data of type `f32`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(x: f32):
    Cfg.n = x
