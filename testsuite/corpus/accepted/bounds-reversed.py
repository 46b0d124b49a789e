# Reversal.


@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[n - 1 - i]
