# expect: type.rank 4:9 `x` has 1 dimension but is given 2 indices
@proc
def p(x: f32[4], y: f32):
    y = x[0, 0]
