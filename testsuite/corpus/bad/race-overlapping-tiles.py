# Tiles of 5, laid out 4 apart.
# expect: par.race 11:13 iterations of the parallel loop over `io` may meet in `x`
# because: for n = 2: iterations io = 0 and io = 1 meet in `x[4]`: both change it
# run: p n=2


@proc
def p(n: size, x: f32[4 * n + 1]):
    for io in par(0, n):
        for ii in seq(0, 5):
            x[4 * io + ii] = 0.0
