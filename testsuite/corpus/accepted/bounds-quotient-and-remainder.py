# Row and column of a flat index.


@proc
def p(n: size, a: f32[(n + 7) / 8, 8]):
    for i in seq(0, n):
        a[i / 8, i % 8] = 0.0
