# Above the diagonal is written, below it read.


@proc
def p(n: size, a: f32[n, n]):
    for i in par(0, n):
        for j in seq(i + 1, n):
            a[i, j] = a[j, i]
