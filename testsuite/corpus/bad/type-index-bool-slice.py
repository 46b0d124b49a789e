# expect: type.index 4:13 a slice bound is an integer, not a `bool`
@proc
def p(b: bool, x: f32[2]):
    y = x[0:b]
    y[0] = 0.0
