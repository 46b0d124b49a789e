# The buffer keeps the extent that the field had.
# expect: call.shape 21:17 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for Cfg.n = 1: 8 is expected, 1 given
# run: p Cfg.n=1
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
