# expect: type.comparison 4:12 `<` cannot compare a `stride` with an `int`
@proc
def p(x: [f32][8]):
    assert stride(x, 0) < 8
    pass
