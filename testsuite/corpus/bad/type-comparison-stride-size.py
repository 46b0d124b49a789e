# expect: type.comparison 4:12 `==` cannot compare a `stride` with a `size`
@proc
def p(n: size, x: [f32][8, n]):
    assert stride(x, 0) == n
    pass
