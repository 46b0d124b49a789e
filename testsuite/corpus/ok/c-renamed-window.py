# A window of a window is indexed with strides of its own, whatever else is called like its source.


@proc
def add_one(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] += 1.0


@proc
def columns_and_rows(n: size, A: f32[n, n + 2]):
    for j in seq(0, n):
        x = A[0:n, j]
        y = x[0:n]
        add_one(n, y)
        z = A[j, 0:n]
        for i in seq(0, n):
            z[i] += y[i]


@proc
def transposed_view(n: size, A: [f32][n, 4], B: f32[4, n]):
    for j in seq(0, 4):
        col = A[0:n, j]
        row = B[j, 0:n]
        for i in seq(0, n):
            row[i] = col[i]
        add_one(n, row)
