# expect: syntax.loop 4:14 lower and an upper bound
@proc
def p(n: size, x: f32[n]):
    for i in seq(n):
        x[i] = 0.0
