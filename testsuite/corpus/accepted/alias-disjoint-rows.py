# Two rows, different by the loop's start.


@proc
def copy(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def p(n: size, a: f32[n, n]):
    for i in seq(1, n):
        copy(n, a[i - 1, :], a[i, :])
