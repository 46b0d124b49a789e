# A buffer of one's own, one cell short.
# expect: bounds.access 12:14 index 0 of `t` may be out of bounds: `n`
# because: for n = 1: the index is 1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    t: f32[n]
    for i in seq(0, n):
        t[i] = x[i]
    x[0] = t[n]
