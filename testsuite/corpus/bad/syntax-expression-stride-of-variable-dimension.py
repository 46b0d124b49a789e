# expect: syntax.expression 4:22 `stride` takes
@proc
def p(n: size, x: [f32][8]):
    assert stride(x, n) == 1
    pass
