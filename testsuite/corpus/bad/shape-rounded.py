# A size rounded down to tiles.
# expect: call.shape 14:13 the argument for `x` of `fill` may have another extent in dimension 0 than `4 * (n / 4)`
# because: for n = 1: 0 is expected, 1 given
# run: p n=1


@proc
def fill(n: size, x: [f32][4 * (n / 4)]):
    pass


@proc
def p(n: size, x: f32[n]):
    fill(n, x)
