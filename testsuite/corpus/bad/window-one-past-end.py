# A window that ends one past the end.
# expect: bounds.window 9:11 the interval `1:n + 1` may leave dimension 0 of `x`
# because: for n = 1: the interval is 1:2, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    w = x[1:n + 1]
