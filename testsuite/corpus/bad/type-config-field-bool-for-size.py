# expect: type.config-field 11:13 `Cfg.n` has type `size` and cannot hold a `bool`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(b: bool):
    Cfg.n = b
