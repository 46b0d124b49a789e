# Two sizes that are not known to be equal.
# expect: call.shape 12:13 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for n = 1, m = 2: 1 is expected, 2 given
# run: p n=1 m=2
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, m: size, x: f32[m]):
    fill(n, x)
