# Integer data wraps where C's `int` would overflow, and is cut down where it is stored.
# covers: wraps


@proc
def wrapping(n: size, a: i32[n], b: i32[n]):
    for i in seq(0, n):
        a[i] = a[i] * 1000000000.0 + b[i] * 1000000000.0
        a[i] += b[i] * 2000000000.0
        b[i] = -b[i] - a[i]


@proc
def edges(n: size, a: i32[n], b: i8[n], c: ui16[n]):
    for i in seq(0, n):
        a[i] = 2147483647.0
        a[i] += 1.0
        a[i] += -2.0
        a[i] += 100000.0 * 100000.0
        b[i] = 127.0
        b[i] += a[i]
        b[i] += 2147483647.0
        c[i] += a[i] * 65535.0
        a[i] = -2147483648.0
        a[i] = -a[i] - 1.0
        a[i] += select(a[i], 0.0, -(-a[i]), a[i] * a[i])
        a[i] = 3.0 - a[i] * (2.0 + 1.0)
        a[i] += fabsf(a[i]) + relu(a[i] - 7.0) + fmaxf(a[i], 1.0) * fminf(a[i], 5.0)


@proc
def narrow(n: size, a: i8[n], b: ui8[n], c: ui16[n], d: i32[n]):
    for i in seq(0, n):
        a[i] = a[i] * 100.0 + 77.0
        a[i] += 120.0
        b[i] = b[i] * 100.0
        b[i] += 250.0
        c[i] = c[i] * 20000.0 * c[i]
        d[i] = a[i]
        d[i] += c[i]


@proc
def between(n: size, x: f32[n], y: f64[n], a: i8[n], k: i32[n]):
    for i in seq(0, n):
        a[i] = 10.5 * x[i]
        k[i] = y[i] * 0.5
        x[i] = k[i]
        y[i] += a[i]
        x[i] += y[i]


@proc
def quotients(n: size, a: i32[n], b: i32[n]):
    for i in seq(0, n):
        a[i] = a[i] / 3.0
        b[i] = a[i] / (b[i] * b[i] + 1.0)
