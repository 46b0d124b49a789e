# expect: type.index 4:7 an index is an integer, not a `stride`
@proc
def p(x: [f32][8]):
    x[stride(x, 0)] = 0.0
