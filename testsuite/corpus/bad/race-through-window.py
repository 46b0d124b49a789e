# The windows of neighbours overlap in one cell.
# expect: par.race 11:9 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[1]`: both change it
# run: p n=2


@proc
def p(n: size, x: f32[n + 1]):
    for i in par(0, n):
        w = x[i:i + 2]
        w[0] = 0.0
        w[1] = 0.0
