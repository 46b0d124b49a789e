# An index beyond the window, though within its buffer.
# expect: bounds.access 11:7 index 0 of `w` may be out of bounds: `4`
# because: for n = 9: the index is 4, the extent 4
# run: p n=9


@proc
def p(n: size, x: f32[n]):
    assert n > 8
    w = x[0:4]
    w[4] = 0.0
