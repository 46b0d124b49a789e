# case: one after the other
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[i] = x[i]
    for i in seq(0, n):
        x[i] = a[i]
    b: f32[n]
    for i in seq(0, n):
        b[i] = y[i]
    for i in seq(0, n):
        y[i] = b[i] * 2.0
p = reuse_buffer(p, "a", "b")

# case: extents that an assertion makes equal
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert m == n
    a: f32[n]
    a[0] = x[0]
    x[0] = a[0]
    b: f32[m]
    b[m - 1] = 2.0
    x[n - 1] = b[m - 1]
p = reuse_buffer(p, "a", "b")

# case: in every iteration anew
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32
        a = x[i]
        x[i] = a
        b: f32
        b = x[i] + 1.0
        x[i] = b
p = reuse_buffer(p, "a", "b")

# case: the old buffer is written again before it is read again
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32
    a = 1.0
    for i in seq(0, n):
        if i > 2:
            b: f32
            b = x[i]
            x[i] = b * b
        a = x[i]
        x[i] = a
p = reuse_buffer(p, "a", "b")

# case: windows and calls of the buffer that goes
# expect: accept
@proc
def f(t: [f32][2]):
    t[0] = 1.0
@proc
def p(x: f32):
    a: f32[4]
    a[0] = 1.0
    x = a[0]
    b: f32[4]
    w = b[1:3]
    f(w)
    f(b[2:4])
    x += b[1] + b[2]
p = reuse_buffer(p, "a", "b")

# case: in the same iteration of a parallel loop
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        a: f32
        a = x[i]
        x[i] = a
        b: f32
        b = x[i]
        x[i] = b + b
p = reuse_buffer(p, "a", "b")

# case: in a loop that is over
# expect: refuse in_scope
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32
        a = x[i]
        x[i] = a
    b: f32
    b = 1.0
    x[0] = b
p = reuse_buffer(p, "a", "b")

# case: another precision
# expect: refuse same_type
# breaks: same_type
@proc
def p(x: i32):
    a: i8
    a = 1.0
    b: i32
    b = x * 1000.0
    x = b
p = reuse_buffer(p, "a", "b")

# case: one cell more
# expect: refuse same_shape
# breaks: same_shape
@proc
def p(n: size, x: f32[n + 1]):
    a: f32[n]
    a[0] = 1.0
    b: f32[n + 1]
    b[n] = x[n]
    x[0] = b[n]
p = reuse_buffer(p, "a", "b")

# case: the same text, another value of the configuration
# family: 3
# expect: refuse same_shape
# breaks: same_shape
@config
class Cfg:
    n: size
@proc
def p(x: f32):
    assert Cfg.n == 1
    a: f32[Cfg.n]
    a[0] = 1.0
    Cfg.n = 4
    b: f32[Cfg.n]
    b[3] = x
    x = b[3] + 1.0
p = reuse_buffer(p, "a", "b")

# case: needed after the block
# expect: refuse dead
# breaks: dead
@proc
def p(n: size, x: f32[n]):
    a: f32
    a = x[0]
    if n > 1:
        b: f32
        b = 2.0
        x[1] = b
    x[0] = a
p = reuse_buffer(p, "a", "b")

# case: needed in the next iteration
# expect: refuse dead
# breaks: dead
@proc
def p(n: size, x: f32[n]):
    a: f32
    a = 7.0
    for i in seq(0, n):
        x[i] += a
        b: f32
        b = x[i]
        x[i] = b
p = reuse_buffer(p, "a", "b")

# case: seen through a window
# family: 8
# expect: refuse dead
# breaks: dead
@proc
def p(n: size, x: f32):
    a: f32[4]
    w = a[1:3]
    w[0] = 5.0
    if n > 0:
        b: f32[4]
        b[1] = 2.0
        x = b[1]
    x = w[0]
p = reuse_buffer(p, "a", "b")

# case: the old buffer is read by the write of the new one
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[i] = x[i] * 2.0
    b: f32[n]
    for i in seq(0, n):
        b[i] = a[i] + 1.0
    for i in seq(0, n):
        y[i] = b[i]
p = reuse_buffer(p, "a", "b")

# case: a prefix sum, which reads each cell of the old buffer before it writes the new one's
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for k in seq(0, 3):
        a: f32[n]
        for i in seq(0, n):
            a[i] = x[i]
        b: f32[n]
        b[0] = a[0]
        for i in seq(1, n):
            b[i] = b[i - 1] + a[i]
        y[0] += b[n - 1]
p = reuse_buffer(p, "a", "b")

# case: iterations of a parallel loop read the cell that they write
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[i] = x[i]
    b: f32[n]
    for i in par(0, n):
        b[i] = a[i] * a[i]
    for i in seq(0, n):
        x[i] = b[i]
p = reuse_buffer(p, "a", "b")

# case: read in the other direction
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32[8], y: f32[8]):
    a: f32[8]
    for i in seq(0, 8):
        a[i] = x[i]
    b: f32[8]
    for i in seq(0, 8):
        b[i] = a[7 - i]
    for i in seq(0, 8):
        y[i] = b[i]
p = reuse_buffer(p, "a", "b")

# case: read again once the new one is written
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32, y: f32):
    a: f32
    a = x
    b: f32
    b = a + 1.0
    y = b * a
p = reuse_buffer(p, "a", "b")

# case: read through a window after the neighbour is written
# family: 8
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32[8], y: f32[8]):
    a: f32[8]
    for i in seq(0, 8):
        a[i] = x[i]
    w = a[1:8]
    b: f32[8]
    b[0] = 0.0
    b[1] = 0.0
    for i in seq(0, 6):
        b[i + 2] = w[i]
    for i in seq(0, 8):
        y[i] = b[i]
p = reuse_buffer(p, "a", "b")

# case: a callee gets both
# expect: refuse apart
@proc
def f(s: f32[4], t: f32[4]):
    for i in seq(0, 4):
        t[i] = s[i]
@proc
def p(x: f32[4]):
    a: f32[4]
    for i in seq(0, 4):
        a[i] = x[i]
    b: f32[4]
    f(a, b)
    for i in seq(0, 4):
        x[i] = b[i] + 1.0
p = reuse_buffer(p, "a", "b")

# case: threads would write what others read
# expect: refuse parallel
# breaks: parallel
@proc
def p(n: size, x: f32[n + 1]):
    a: f32[n + 1]
    for i in seq(0, n + 1):
        a[i] = x[i]
    b: f32[n + 1]
    b[n] = a[0]
    for i in par(1, n):
        b[i - 1] = a[i]
    x[0] = b[n]
p = reuse_buffer(p, "a", "b")

# case: written while the other one lives
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32):
    a: f32
    b: f32
    b = 1.0
    a = 2.0
    x = b
p = reuse_buffer(p, "a", "b")

# case: written by a callee through a window while the other one lives
# family: 9
# expect: refuse apart
# breaks: apart
@proc
def f(t: [f32][2]):
    t[0] = 1.0
@proc
def p(x: f32):
    a: f32[4]
    w = a[0:2]
    b: f32[4]
    b[0] = x
    f(w)
    x = b[0] + 1.0
p = reuse_buffer(p, "a", "b")

# case: parallel iterations would share it
# expect: refuse parallel
# breaks: parallel
@proc
def p(n: size, x: f32[n]):
    a: f32
    for i in par(0, n):
        b: f32
        b = x[i]
        x[i] = b + 1.0
p = reuse_buffer(p, "a", "b")

# case: one buffer twice
# expect: argument
@proc
def p(x: f32):
    a: f32
    a = 1.0
    x = a
p = reuse_buffer(p, "a", "a")
