# Cells of different parity.


@proc
def set(x: f32, y: f32):
    y = x + 1.0


@proc
def p(n: size, z: f32[2 * n]):
    for i in seq(0, n):
        for j in seq(0, n):
            set(z[2 * i], z[2 * j + 1])
