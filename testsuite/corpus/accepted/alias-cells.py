# Two different cells.


@proc
def set(x: f32, y: f32):
    y = x + 1.0


@proc
def p(n: size, z: f32[n]):
    for i in seq(1, n):
        set(z[0], z[i])
