# An allocation whose extent may be negative.
# expect: bounds.extent 9:12 extent 0 of `t` may be below 0: `n - 3`
# because: for n = 1: it is -2
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    t: f32[n - 3]
    pass
