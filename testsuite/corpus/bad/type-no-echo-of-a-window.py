# expect: type.index 9:13 a slice bound is an integer
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(b: bool, x: f32[8]):
    y = x[0:b]
    y[0] = 0.0
    y[1] += y[0]
    fill(8, y)
