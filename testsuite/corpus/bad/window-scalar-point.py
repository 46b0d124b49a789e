# A window of one cell that is not there.
# expect: bounds.window 9:18 index 0 of `x` may be out of bounds: `n`
# because: for n = 1: the index is 1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    w: [f32] = x[n]
