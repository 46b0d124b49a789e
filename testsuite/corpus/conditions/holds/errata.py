@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# refuted: [E-6] the first iteration does not see what the last one leaves
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        if Cfg.a == 7:  # here
            x[i] = 1.0
        Cfg.a = 7
