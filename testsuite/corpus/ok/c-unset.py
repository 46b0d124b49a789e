# Cells that are read before they are written hold no value in particular; reading them does no harm.


@proc
def read(x: [f32][1], y: f32):
    y = x[0]


@proc
def one_way(n: size, k: index, x: f32[n], y: f32[n]):
    t: f32
    if k > 3:
        t = x[0]
    y[0] = t
    u: f32
    for i in seq(0, n):
        u = x[i]
    y[0] = u
    s: f32
    s += x[0]
    y[n - 1] = s


@proc
def arrays(n: size, y: f32[n]):
    a: f32[n]
    y[0] = a[n - 1]
    b: f32[8] @ DRAM_STACK
    y[0] = b[3]
    c: f32[8]
    read(c[3:4], y[0])
    d: f64
    e: f64
    e = d * 2.0
    y[n - 1] = 1.0


@proc
def carried(n: size, x: f32[n], y: f32[n]):
    last: f32
    for i in seq(0, n):
        if i > 0:
            y[i] = last
        else:
            y[i] = 0.0
        last = x[i]
