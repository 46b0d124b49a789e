# A triangular loop up to the diagonal.


@proc
def p(n: size, a: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            a[i, j] = a[j, i]
