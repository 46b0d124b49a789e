# expect: type.not-operand 4:12 a window of `x` is not a value
@proc
def p(x: f32[8], y: f32[4]):
    y[0] = x[0:4]
