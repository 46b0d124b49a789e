# An inequality is not enough.
# expect: call.shape 15:13 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for n = 1, m = 2: 1 is expected, 2 given
# run: p n=1 m=2


@proc
def fill(n: size, x: f32[n]):
    pass


@proc
def p(n: size, m: size, x: f32[m]):
    assert n <= m
    fill(n, x)
