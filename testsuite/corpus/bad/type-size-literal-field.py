# expect: type.size-literal 11:13 a `size` is at least 1, not 0
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p():
    Cfg.n = 0
