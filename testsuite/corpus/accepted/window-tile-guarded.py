# The last tile is shorter.


@proc
def fill(n: size, t: [f32][n]):
    for i in seq(0, n):
        t[i] = 0.0


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, (n + 7) / 8):
        if 8 * i + 8 <= n:
            fill(8, x[8 * i:8 * i + 8])
        else:
            fill(n - 8 * i, x[8 * i:n])
