# A loop with one iteration.


@proc
def fill(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0


@proc
def p(n: size, x: f32[n]):
    for m in seq(n, n + 1):
        fill(m, x)
