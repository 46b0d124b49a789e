# expect: type.tensor-value 4:8 the whole of `x` is not a value
@proc
def p(x: f32[4], y: f32):
    if x == 0:
        y = 0.0
