# expect: type.config-field 11:16 `Cfg.flag` has type `bool` and cannot hold an `int`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p():
    Cfg.flag = 1
