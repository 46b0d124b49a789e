# expect: type.argument 9:10 argument `n` of `fill` is a `size`, not a tensor `f32[8]`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    fill(x, x)
