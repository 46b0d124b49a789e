# The inner loop's index alone does not keep iterations apart.
# expect: par.race 11:13 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2, m = 1: iterations i = 0 and i = 1 meet in `x[0]`: both change it
# run: p n=2 m=1


@proc
def p(n: size, m: size, x: f32[m]):
    for i in par(0, n):
        for j in seq(0, m):
            x[j] = 0.0
