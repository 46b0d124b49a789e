# expect: type.argument 9:13 argument `x` of `fill` is a window `[f32][n]`, not a `size`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size):
    fill(n, n)
