# A window of a window with bounds from two loops.


@proc
def p(n: size, m: size, a: f32[n, m]):
    for i in seq(0, n):
        row = a[i, 0:m]
        for j in seq(0, m):
            rest = row[j:m]
            rest[0] = 0.0
