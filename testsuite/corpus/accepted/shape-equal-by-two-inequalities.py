# Two inequalities make an equality.


@proc
def fill(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0


@proc
def p(n: size, m: size, x: f32[m]):
    assert n <= m and m <= n
    fill(n, x)
