# A size that is known not to be a multiple of 8.
# expect: call.shape 13:13 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for n = 4: 4 is expected, 0 given
# run: p n=4
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[8 * (n / 8)]):
    assert n % 8 == 4
    fill(n, x)
