# A window of a window begins before the first one.
# expect: bounds.window 11:11 the interval `k:4` may leave dimension 0 of `w`
# because: for k = -1: the interval is -1:4, the extent 4
# run: p k=-1


@proc
def p(x: f32[16], k: index):
    assert -4 <= k and k <= 0
    w = x[4:8]
    v = w[k:4]
