# expect: type.not-operand 4:15 a window of `x` is not a value
@proc
def p(x: f32[8], y: f32):
    y = 1.0 + x[0:4]
