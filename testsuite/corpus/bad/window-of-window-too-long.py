# A window of a window leaves the first, though not its buffer.
# expect: bounds.window 10:11 the interval `2:6` may leave dimension 0 of `w`
# because: the interval is 2:6, the extent 4
# run: p


@proc
def p(x: f32[16]):
    w = x[4:8]
    v = w[2:6]
