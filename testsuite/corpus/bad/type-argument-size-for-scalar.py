# expect: type.argument 8:11 argument `x` of `twice` is a scalar `f32`, not a `size`
@proc
def twice(x: f32):
    x = 2.0 * x

@proc
def p(n: size):
    twice(n)
