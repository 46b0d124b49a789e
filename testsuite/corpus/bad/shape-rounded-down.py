# A buffer of whole tiles, and an extent with the rest.
# expect: call.shape 12:13 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for n = 1: 1 is expected, 0 given
# run: p n=1
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[4 * (n / 4)]):
    fill(n, x)
