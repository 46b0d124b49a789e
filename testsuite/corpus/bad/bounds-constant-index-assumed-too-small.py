# The assertion allows one size too many.
# expect: bounds.access 10:7 index 0 of `x` may be out of bounds: `3`
# because: for n = 3: the index is 3, the extent 3
# run: p n=3


@proc
def p(n: size, x: f32[n]):
    assert n >= 3
    x[3] = 0.0
