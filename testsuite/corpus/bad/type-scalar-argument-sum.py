# expect: type.scalar-argument 8:11 argument `x` of `twice` is passed by reference
@proc
def twice(x: f32):
    x = 2.0 * x

@proc
def p(x: f32[4]):
    twice(x[0] + x[1])
