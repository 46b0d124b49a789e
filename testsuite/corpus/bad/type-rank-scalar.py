# expect: type.rank 4:5 `x` has 0 dimensions but is given 1 index
@proc
def p(x: f32):
    x[0] = 0.0
