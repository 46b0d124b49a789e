# expect: syntax.expression 4:12 `stride` takes
@proc
def p(x: [f32][8]):
    assert stride(x) == 1
    pass
