# expect: type.index 4:7 an index is an integer, not a `bool`
@proc
def p(b: bool, x: f32[2]):
    x[b] = 0.0
