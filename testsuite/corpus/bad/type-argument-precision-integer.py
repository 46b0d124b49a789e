# expect: type.argument-precision 8:11 elements of type `f32`, not `i32`
@proc
def twice(x: f32):
    x = 2.0 * x

@proc
def p(x: i32):
    twice(x)
