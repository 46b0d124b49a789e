# expect: type.not-operand 4:13 a window of `x` is not a value
@proc
def p(x: f32[8], y: f32):
    y = sin(x[0:4])
