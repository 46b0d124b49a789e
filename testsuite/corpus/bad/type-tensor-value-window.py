# expect: type.tensor-value 5:9 the whole of `w` is not a value
@proc
def p(x: f32[4], y: f32):
    w = x[0:2]
    y = w
