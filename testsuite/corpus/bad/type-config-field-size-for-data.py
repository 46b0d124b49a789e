# expect: type.config-field 11:17 `Cfg.scale` has type `f32` and cannot hold a `size`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(n: size):
    Cfg.scale = n
