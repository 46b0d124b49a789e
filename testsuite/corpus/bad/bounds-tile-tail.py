# Tiles of 4 without a guard, where the size is no multiple of 4.
# expect: bounds.access 11:15 index 0 of `x` may be out of bounds: `4 * io + ii`
# because: for n = 1, io = 0, ii = 1: the index is 1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    for io in seq(0, (n + 3) / 4):
        for ii in seq(0, 4):
            x[4 * io + ii] = 0.0
