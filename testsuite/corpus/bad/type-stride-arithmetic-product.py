# expect: type.stride-arithmetic 4:21 `*` does not apply to strides
@proc
def p(n: size, x: [f32][n]):
    assert n == 2 * stride(x, 0)
    pass
