# expect: type.argument-shape 9:13 extent `4` in dimension 0, not `8`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    fill(4, x)
