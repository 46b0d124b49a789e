# One buffer twice, and neither is changed.


@proc
def add(n: size, x: f32[n], y: f32[n], z: f32[n]):
    for i in seq(0, n):
        z[i] = x[i] + y[i]


@proc
def p(n: size, x: f32[n], z: f32[n]):
    add(n, x, x, z)
