# expect: type.argument-shape 10:13 extent `n` in dimension 0, not `8 * (n / 8)`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[8 * (n / 8)]):
    assert n % 8 == 4
    fill(n, x)
