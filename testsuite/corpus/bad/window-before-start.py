# A window that begins before the start.
# expect: bounds.window 10:15 the interval `i - 1:i` may leave dimension 0 of `x`
# because: for n = 1, i = 0: the interval is -1:0, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        w = x[i - 1:i]
