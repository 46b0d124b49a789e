# expect: type.rank 4:5 `x` has 1 dimension but is given 0 indices
@proc
def p(x: f32[4]):
    x = 0.0
