# expect: type.argument-rank 8:11 has 0 dimensions, not 1
@proc
def twice(x: f32):
    x = 2.0 * x

@proc
def p(x: f32[8]):
    twice(x)
