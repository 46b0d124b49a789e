# expect: type.data-expected 11:15 not a `size`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(x: f32):
    x = 2.0 * Cfg.n
