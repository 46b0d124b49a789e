# expect: type.argument-shape 10:17 extent `n` in dimension 0, not `n`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    for n in seq(1, 8):
        fill(n, x)
