# expect: type.argument-precision 8:10 elements of type `R`, not `f32`
@proc
def zero(x: [R][8]):
    x[0] = 0.0

@proc
def p(x: f32[8]):
    zero(x)
