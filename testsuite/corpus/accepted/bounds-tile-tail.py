# Whole tiles, then the rest.


@proc
def p(n: size, x: f32[n]):
    for io in seq(0, n / 4):
        for ii in seq(0, 4):
            x[4 * io + ii] = 0.0
    for ii in seq(0, n % 4):
        x[4 * (n / 4) + ii] = 0.0
