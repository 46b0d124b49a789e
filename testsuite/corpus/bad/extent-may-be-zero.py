# A buffer of one's own with no cell when `n` is 1.
# expect: bounds.extent 8:12 extent 0 of `t` may be below 1: `n - 1`
# because: for n = 1: it is 0


@proc
def p(n: size, x: f32[n]):
    t: f32[n - 1]
    pass
