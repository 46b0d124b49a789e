@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# refuted: [E-18] what may be overwritten is not clean
@proc
def p(x: f32):
    Cfg.a = 1  # here
    if Cfg.flag:
        Cfg.a = 0
