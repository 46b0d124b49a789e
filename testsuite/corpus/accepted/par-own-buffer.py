# A buffer that each iteration makes for itself.


@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        t: f32
        t = x[i]
        x[i] = t + 1.0
