# The callee writes one cell more than the stride.
# expect: par.race 16:9 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[1]`: both change it
# run: p n=2


@proc
def two(t: [f32][2]):
    t[0] = 0.0
    t[1] = 0.0


@proc
def p(n: size, x: f32[n + 1]):
    for i in par(0, n):
        two(x[i:i + 2])
