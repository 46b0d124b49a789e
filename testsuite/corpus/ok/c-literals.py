# Integers in index position stay integers; data literals are exact in the precision they are used in.
# covers: rounds


@proc
def scaled(n: size, x: f32[n + 4], y: f64[n], k: i32[n], s: i8[n]):
    for i in seq(0, n):
        x[i + 4] = 2.0 * x[0] + 0.1
        y[i] = 0.1 + 1e-30
        k[i] = 2.0 * k[i] + 100000.0
        s[i] = 3.0 * s[0] + 127.0


@proc
def whole(x: f32[3], y: f64[3]):
    x[0] = 3
    x[1] = 16777216.0
    x[2] = 1e10
    y[0] = 3
    y[1] = 9007199254740993.0
    y[2] = -0.125
