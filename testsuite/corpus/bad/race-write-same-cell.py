# All iterations write one cell.
# expect: par.race 10:9 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[0]`: both change it
# run: p n=2


@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[0] = 1.0
