# expect: type.control-expected 4:13 a slice bound is control
@proc
def p(k: i32, x: f32[8]):
    y = x[0:k]
    y[0] = 0.0
