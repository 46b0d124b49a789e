# Pointers are `restrict` unless a call in the file passes one buffer twice and one of the two is written.


@proc
def add(n: size, x: f32[n], y: f32[n], z: f32[n]):
    for i in seq(0, n):
        z[i] = x[i] + y[i]


@proc
def first(x: f32, y: f32):
    y = x + 1.0


@proc
def twice(n: size, x: f32[n], z: f32[n]):
    add(n, x, x, z)
    for i in seq(1, n):
        first(z[0], z[i])
