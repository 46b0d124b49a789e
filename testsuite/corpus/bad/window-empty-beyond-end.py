# A window without cells must still lie within.
# expect: bounds.window 9:11 the interval `n + 1:n + 1` may leave dimension 0 of `x`
# because: for n = 1: the interval is 2:2, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    w = x[n + 1:n + 1]
