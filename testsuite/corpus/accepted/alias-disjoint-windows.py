# Two halves.


@proc
def copy(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def p(n: size, x: f32[n]):
    assert n > 1
    copy(n / 2, x[0:n / 2], x[n - n / 2:n])
