# expect: type.config-field 11:14 `Cfg.ld` has type `stride` and cannot hold a `size`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(n: size):
    Cfg.ld = n
