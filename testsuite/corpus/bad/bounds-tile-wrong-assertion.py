# Tiles of 8 under an assertion about 4.
# expect: bounds.access 12:15 index 0 of `x` may be out of bounds: `8 * io + ii`
# because: for n = 4, io = 0, ii = 4: the index is 4, the extent 4
# run: p n=4


@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    for io in seq(0, (n + 7) / 8):
        for ii in seq(0, 8):
            x[8 * io + ii] = 0.0
