# expect: type.tensor-value 4:15 the whole of `x` is not a value
@proc
def p(x: f32[4], y: f32):
    y = 2.0 * x
