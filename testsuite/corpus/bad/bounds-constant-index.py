# A constant index that only large sizes have.
# expect: bounds.access 9:7 index 0 of `x` may be out of bounds: `3`
# because: for n = 1: the index is 3, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    x[3] = 0.0
