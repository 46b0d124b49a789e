# Halving rounds down, and the extent is that of the half.
# expect: bounds.access 10:11 index 0 of `y` may be out of bounds: `i / 2`
# because: for n = 1, i = 0: the index is 0, the extent 0
# run: p n=1


@proc
def p(n: size, x: f32[n], y: f32[n / 2]):
    for i in seq(0, n):
        y[i / 2] = x[i]
