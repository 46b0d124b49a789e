# expect: type.rank 5:5 `y` has 1 dimension but is given 2 indices
@proc
def p(x: f32[4, 4]):
    y = x[0, 0:4]
    y[0, 0] = 0.0
