# Programs that do little: nothing here makes a compiler warn.


@config
class Shape:
    n: size
    m: size


@proc
def nothing():
    pass


@proc
def unused(n: size, b: bool, i: index, s: stride, x: f32[n], y: [f32][n, n], z: f32):
    pass


@proc
def same(n: size, b: bool, x: f32[n], k: i32[n], t: f32):
    t = t
    for i in seq(0, n):
        x[i] = x[i]
        k[i] = select(k[i], k[i], 1.0, k[i])
        if i == i and i <= i and not i < i:
            pass
        if b == b or b == (i < n):
            pass
        else:
            x[i] = 0.0


@proc
def never_read(n: size, x: f32[n]):
    a: f32
    a = 1.0
    a += 2.0
    b: f32[n]
    b[0] = 1.0
    c: i8[4] @ DRAM_STACK
    c[1] += 1.0
    d: f32[2] @ DRAM_STATIC
    d[0] = 1.0
    e: f32
    w = x[0:n]
    v = w[0:1]
    if True:
        f: f64[3]
    for i in seq(0, 0):
        g: f32


@proc
def same_field(n: size):
    Shape.n = Shape.n
    Shape.m = n


@proc
def comparisons(n: size, a: bool, b: bool, c: bool, x: f32[n]):
    if a and b or c:
        x[0] = 1.0
    if (a or b) and c:
        x[0] = 2.0
    if (a == b) == c:
        x[0] = 3.0
    if not (a and b) == (not c):
        x[0] = 4.0
    if not a == b:
        x[0] = 5.0
    if (n > 3) == (n < 10):
        x[0] = 6.0
    if not (not a):
        x[0] = 7.0
    if 0 <= n < 10 <= 3 * n:
        x[0] = 8.0


@proc
def windows_of_scalars(n: size, x: f32[n], t: f32, u: [f32]):
    w: [f32] = x[n - 1]
    w += u
    w = t
    u = w + 1.0


@proc
def pass_scalars(n: size, x: f32[n], y: f32[n]):
    s: f32
    s = 1.0
    windows_of_scalars(n, x, s, y[0])
