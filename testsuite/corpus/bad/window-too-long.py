# A window of four cells at the last place but three.
# expect: bounds.window 10:15 the interval `i:i + 4` may leave dimension 0 of `x`
# because: for n = 3, i = 0: the interval is 0:4, the extent 3
# run: p n=3


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n - 2):
        w = x[i:i + 4]
