# expect: type.size-literal 9:10 a `size` is at least 1, not 0
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    fill(0, x[0:0])
