# expect: type.index 4:7 an index is an integer, not a `bool`
@proc
def p(n: size, x: f32[2]):
    x[n < 4] = 0.0
