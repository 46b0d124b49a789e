# Two buffers in one.


@proc
def p(n: size, m: size, x: f32[n], y: f32[m], z: f32[n + m]):
    for i in seq(0, n):
        z[i] = x[i]
    for i in seq(0, m):
        z[n + i] = y[i]
