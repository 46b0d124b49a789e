# The window is one cell short in some iterations.
# expect: call.shape 15:17 the argument for `x` of `fill` may have another extent in dimension 0 than `n`
# because: for n = 2, i = 1: 2 is expected, 1 given
# run: p n=2


@proc
def fill(n: size, x: [f32][n]):
    pass


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        fill(n, x[i:n])
