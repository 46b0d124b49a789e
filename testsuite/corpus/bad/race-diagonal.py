# Cells on one diagonal belong to several iterations.
# expect: par.race 11:13 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[1]`: both change it
# run: p n=2


@proc
def p(n: size, x: f32[2 * n]):
    for i in par(0, n):
        for j in seq(0, n):
            x[i + j] = 0.0
