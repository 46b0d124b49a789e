# Loops that do not run, buffers of extent 1, empty windows at the end of a buffer.


@proc
def scale(n: index, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]


@proc
def pieces(n: size, x: f32[n]):
    for i in seq(0, n + 1):
        scale(n - i, x[i:n])
    for i in seq(n, 0):
        x[0] = 0.0
    for i in seq(n - 1, n):
        t: f32[1]
        t[0] = x[i]
        x[0] += t[0]
