# A square is expected.
# expect: call.shape 14:13 the argument for `a` of `fill` may have another extent in dimension 1 than `n`
# because: for n = 1, m = 2: 1 is expected, 2 given
# run: p n=1 m=2


@proc
def fill(n: size, a: f32[n, n]):
    pass


@proc
def p(n: size, m: size, a: f32[n, m]):
    fill(n, a)
