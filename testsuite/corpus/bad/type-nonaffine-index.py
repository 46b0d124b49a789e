# expect: type.nonaffine 5:11 neither side
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, n):
        x[i * m] = 0.0
