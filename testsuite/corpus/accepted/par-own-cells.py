# Each iteration has a cell of its own.


@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        y[i] = x[i]
        y[i] += x[n - 1 - i]
