# expect: type.extent 10:18 cannot depend on the state `Cfg.n`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def p(x: f32[2 * Cfg.n]):
    pass
