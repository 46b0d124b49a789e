# Floor division of -1 is -1, not 0.
# expect: bounds.access 10:11 index 0 of `x` may be out of bounds: `(i - 1) / 2`
# because: for n = 1, i = 0: the index is -1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[(i - 1) / 2] = 0.0
