# expect: type.argument-rank 9:13 has 1 dimension, not 0
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    fill(1, x[0])
