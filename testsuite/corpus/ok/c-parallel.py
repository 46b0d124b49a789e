# Parallel loops become OpenMP pragmas, nested ones too: each iteration has cells of its own.


@proc
def nested(n: size, m: size, A: f32[n, m], B: f32[m, n]):
    for i in par(0, n):
        for j in par(0, m):
            B[j, i] = A[i, j]


@proc
def tiles(n: size, x: f32[8 * n], y: f32[n]):
    for io in par(0, n):
        s: f32
        s = 0.0
        for ii in seq(0, 8):
            s += x[8 * io + ii]
            x[8 * io + ii] = 0.0
        y[io] = s


@proc
def halves(n: size, x: f32[2 * n]):
    for i in par(0, n):
        x[i] = x[i + n]


@proc
def set_row(n: size, v: f32, x: [f32][n]):
    for i in seq(0, n):
        x[i] = v


@proc
def rows(n: size, m: size, A: f32[n, m], b: f32[n]):
    for i in par(0, n):
        t: f32[m]
        set_row(m, b[i], A[i, 0:m])
        set_row(m, b[i], t[0:m])


@proc
def triangle(n: size, A: f32[n, n]):
    for i in par(0, n):
        for j in par(i, n):
            A[i, j] = 1.0
