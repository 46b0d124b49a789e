# expect: syntax.loop 4:14 counts up by one
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n, 2):
        x[i] = 0.0
