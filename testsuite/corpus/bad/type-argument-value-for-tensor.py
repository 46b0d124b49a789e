# expect: type.argument 9:13 argument `x` of `fill` is a window `[f32][n]`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, y: f32):
    fill(n, sin(y))
