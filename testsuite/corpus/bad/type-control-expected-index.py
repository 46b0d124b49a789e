# expect: type.control-expected 4:7 an index is control
@proc
def p(k: i32, x: f32[8]):
    x[k] = 0.0
