# Each iteration has a tile of its own.


@proc
def p(n: size, x: f32[4 * n]):
    for io in par(0, n):
        for ii in seq(0, 4):
            x[4 * io + ii] = 0.0
