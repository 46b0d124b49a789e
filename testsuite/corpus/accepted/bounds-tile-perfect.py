# Tiles of 8 under an assertion about 16.


@proc
def p(n: size, x: f32[n]):
    assert n % 16 == 0
    for io in seq(0, n / 8):
        for ii in seq(0, 8):
            x[8 * io + ii] = 0.0
