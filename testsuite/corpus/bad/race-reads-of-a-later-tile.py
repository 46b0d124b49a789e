# An iteration reads the first cell of the next tile, which the next one writes.
# expect: par.race 11:9 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[4]`: the first reads it, the second changes it
# run: p n=2


@proc
def p(n: size, x: f32[4 * n + 4], y: f32[n]):
    for i in par(0, n):
        y[i] = x[4 * i + 4]
        x[4 * i] = 0.0
