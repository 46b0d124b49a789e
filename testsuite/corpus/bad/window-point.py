# The point of a window is out of bounds.
# expect: bounds.window 9:11 index 0 of `a` may be out of bounds: `n`
# because: for n = 1, m = 1: the index is 1, the extent 1
# run: p n=1 m=1


@proc
def p(n: size, m: size, a: f32[n, m]):
    w = a[n, 0:m]
