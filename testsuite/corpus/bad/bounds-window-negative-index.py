# An index before the window, though within its buffer.
# expect: bounds.access 11:11 index 0 of `w` may be out of bounds: `i - 1`
# because: for i = 0: the index is -1, the extent 4
# run: p


@proc
def p(x: f32[8]):
    w = x[4:8]
    for i in seq(0, 4):
        w[i - 1] = 0.0
