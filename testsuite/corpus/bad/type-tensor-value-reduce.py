# expect: type.tensor-value 4:13 the whole of `x` is not a value
@proc
def p(x: f32[4], y: f32[4]):
    y[0] += x
