# expect: type.control-expected 4:11 an operand of `+` is control
@proc
def p(n: size, k: i32, x: f32[n]):
    x[n + k] = 0.0
