# A callee writes the field between the allocation and the call.
# expect: call.shape 26:17 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for Cfg.n = 1: 2 is expected, 1 given
# run: p Cfg.n=1


@config
class Cfg:
    n: size


@proc
def fill(n: size, x: f32[n]):
    pass


@proc
def grow():
    Cfg.n = Cfg.n + 1


@proc
def p():
    t: f32[Cfg.n]
    grow()
    fill(Cfg.n, t)
