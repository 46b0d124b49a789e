# From the second iteration on the field is another.
# expect: call.shape 21:21 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for i = 1, Cfg.n = 1: 9 is expected, 1 given
# run: p Cfg.n=1


@config
class Cfg:
    n: size


@proc
def fill(n: size, x: f32[n]):
    pass


@proc
def p():
    t: f32[Cfg.n]
    for i in seq(0, 4):
        fill(Cfg.n, t)
        Cfg.n = 9
