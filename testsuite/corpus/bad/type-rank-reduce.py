# expect: type.rank 4:5 `x` has 2 dimensions but is given 1 index
@proc
def p(x: f32[4, 4]):
    x[0] += 1.0
