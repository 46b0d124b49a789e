# Tiles of 4 with a guard.


@proc
def p(n: size, x: f32[n]):
    for io in seq(0, (n + 3) / 4):
        for ii in seq(0, 4):
            if 4 * io + ii < n:
                x[4 * io + ii] = 0.0
