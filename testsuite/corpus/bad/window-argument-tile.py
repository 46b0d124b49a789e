# The last tile is not whole.
# expect: bounds.window 16:16 the interval `8 * i:8 * i + 8` may leave dimension 0 of `x`
# because: for n = 1, i = 0: the interval is 0:8, the extent 1
# run: p n=1


@proc
def tile(t: [f32][8]):
    for i in seq(0, 8):
        t[i] = 0.0


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, (n + 7) / 8):
        tile(x[8 * i:8 * i + 8])
