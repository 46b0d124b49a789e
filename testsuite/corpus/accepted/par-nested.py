# Both loops are parallel.


@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in par(0, n):
        for j in par(0, m):
            x[i, j] += 1.0
