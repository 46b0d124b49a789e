# expect: type.argument-shape 9:13 extent `n` in dimension 0, not `4 * (n / 4)`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[4 * (n / 4)]):
    fill(n, x)
