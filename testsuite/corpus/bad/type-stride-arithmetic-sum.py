# expect: type.stride-arithmetic 4:12 `+` does not apply to strides
@proc
def p(x: [f32][8]):
    assert stride(x, 0) + 1 == 2
    pass
