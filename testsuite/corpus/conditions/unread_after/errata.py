@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# refuted: [E-13] what follows runs though the guard no longer holds
@proc
def p(x: f32[8]):
    if Cfg.a == 1:
        Cfg.b = 3  # here
        Cfg.a = 0
        x[Cfg.b] = 1.0
