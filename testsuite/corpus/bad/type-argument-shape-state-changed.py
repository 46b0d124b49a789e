# expect: type.argument-shape 18:17 extent `Cfg.n` in dimension 0, not `Cfg.n`
@config
class Cfg:
    n: size
    flag: bool
    ld: stride
    scale: f32

@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p():
    x: f32[Cfg.n]
    Cfg.n = 8
    fill(Cfg.n, x)
