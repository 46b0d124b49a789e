# expect: type.rank 4:9 `x` has 1 dimension
@proc
def p(x: f32[4]):
    y = x[0:4, 0]
    y[0] = 0.0
