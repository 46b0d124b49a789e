# expect: type.stride-dim 4:12 `x` has 1 dimension, so no stride 1
@proc
def p(x: [f32][8]):
    assert stride(x, 1) == 1
    pass
