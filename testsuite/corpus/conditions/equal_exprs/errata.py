@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# proved: [E-3] what was written first is read by what was written second
@proc
def p(x: f32):
    Cfg.a = 3
    Cfg.b = Cfg.a
    if Cfg.b == 3:  # here
        pass
