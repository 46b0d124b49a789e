# A window that ends before it begins.
# expect: bounds.window 9:11 the interval `2:n` may leave dimension 0 of `x`
# because: for n = 1: the interval is 2:1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    w = x[2:n]
