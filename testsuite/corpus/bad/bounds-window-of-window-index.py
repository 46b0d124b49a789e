# An index is relative to the inner window.
# expect: bounds.access 11:7 index 0 of `v` may be out of bounds: `4`
# because: the index is 4, the extent 4
# run: p


@proc
def p(x: f32[16]):
    w = x[4:12]
    v = w[2:6]
    v[4] = 0.0
