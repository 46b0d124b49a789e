# expect: type.argument-precision 9:13 elements of type `f32`, not `R`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(x: R[8]):
    fill(8, x)
