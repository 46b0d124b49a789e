# expect: type.stride-dim 4:12 `x` has 0 dimensions, so no stride 0
@proc
def p(x: f32):
    assert stride(x, 0) == 1
    pass
