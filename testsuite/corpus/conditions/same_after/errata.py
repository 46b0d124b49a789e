@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# refuted: [E-4] the first iteration changes nothing of it, the second does
@proc
def p(x: f32):
    Cfg.a = 0
    Cfg.b = 3
    for k in seq(0, 2):  # first
        if Cfg.a == 1:
            Cfg.b = 5
        Cfg.a = 1
    for i in seq(0, Cfg.b):  # second
        pass
