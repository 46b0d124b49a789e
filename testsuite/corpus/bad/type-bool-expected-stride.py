# expect: type.bool-expected 4:12 not a `stride`
@proc
def p(x: [f32][8]):
    assert stride(x, 0)
    pass
