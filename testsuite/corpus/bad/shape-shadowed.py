# A loop variable hides the size.
# expect: call.shape 13:17 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for n = 1, n = 2: 2 is expected, 1 given
# run: p n=1
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    for n in seq(1, 8):
        fill(n, x)
