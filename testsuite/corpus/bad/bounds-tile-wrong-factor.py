# Tiles of 4, laid out 5 apart.
# expect: bounds.access 11:15 index 0 of `x` may be out of bounds: `5 * io + ii`
# because: for n = 2, io = 1, ii = 3: the index is 8, the extent 8
# run: p n=2


@proc
def p(n: size, x: f32[4 * n]):
    for io in seq(0, n):
        for ii in seq(0, 4):
            x[5 * io + ii] = 0.0
