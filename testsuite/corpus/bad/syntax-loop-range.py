# expect: syntax.loop 4:14 `seq`, not `range`
@proc
def p(n: size, x: f32[n]):
    for i in range(0, n):
        x[i] = 0.0
