# case: an index, by what the loops say
# expect: accept
@proc
def p(n: size, x: f32[4 * n]):
    for io in seq(0, n):
        for ii in seq(0, 4):
            x[4 * io + ii] = x[4 * ((4 * io + ii) / 4) + ii]

p = rewrite_expr(p, "(4 * io + ii) / 4", "io")

# case: a bound, by an assertion
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert n == m
    for i in seq(0, n):
        x[i] = 1.0

p = rewrite_expr(p, "n", "m")

# case: a part of a condition that is not the same, in one that is
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i < 1 or i < n:
            x[i] = 1.0

p = rewrite_expr(p, "i < 1", "i < 3")

# case: a condition
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if not (i < 3):
            x[i] = 1.0
        else:
            x[i] = 2.0

p = rewrite_expr(p, "not _", "3 <= i and i < n")

# case: an extent, a window and an argument
# expect: accept
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: size, y: f32[n]):
    t: f32[n + n]
    w = t[n:n + n]
    fill(n, w)
    y[0] = w[0]

p = rewrite_expr(p, "n + n", "2 * n")

# case: a field that was just written
# expect: accept
@config
class Cfg:
    n: size

@proc
def p(n: size, x: f32[n]):
    Cfg.n = n
    for i in seq(0, n):
        x[i] = 1.0

p = rewrite_expr(p, p.find("for i in _: _").hi(), "Cfg.n")

# case: a field of which nothing is known, in two ways
# expect: accept
@config
class Cfg:
    n: size

@proc
def p(k: size, x: f32[k]):
    for j in seq(0, k):
        Cfg.n = Cfg.n + j
        for i in seq(0, Cfg.n + Cfg.n):
            if i < k:
                x[i] = 1.0

p = rewrite_expr(p, "Cfg.n + Cfg.n", "2 * Cfg.n")

# case: data is distributed, and cells are the same in other words
# expect: accept
@proc
def p(n: size, m: size, x: f32[n], y: f32):
    assert n == m
    y = y * (x[n - 1] + x[0] - x[m - 1])

p = rewrite_expr(p, "y * (_)", "x[0] * y")

# case: a read through a window, and an extern
# expect: accept
@proc
def p(x: f32[8], y: f32):
    w = x[2:6]
    y = relu(w[1] + y)

p = rewrite_expr(p, "relu(_)", "relu(y + x[3])")

# case: integers are commutative and distributive, though they wrap
# expect: accept
@proc
def p(a: i8, b: i8, c: i32):
    c = a * (b + 3.0)

p = rewrite_expr(p, "a * _", "3.0 * a + b * a")

# case: what has no value is not needed
# expect: accept
@proc
def p(y: f32):
    t: f32
    y = t - t

p = rewrite_expr(p, "t - t", "0.0")

# case: an index in data of mixed precision
# expect: accept
@proc
def p(n: size, a: i8[n], y: f32):
    y = y + a[n - 1 + 0]

p = rewrite_expr(p, "n - 1 + 0", "n - 1")

# case: another cell
# family: 3
# expect: refuse equal
# breaks: equal
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i] = 2.0

p = rewrite_expr(p, p.find("x[_] = _").idx()[0], "i + 1")

# case: a remainder of what may be too large
# family: 12
# expect: refuse equal
# breaks: equal
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i % 4 * 0 + i] += 2.0

p = rewrite_expr(p, "i % 4 * 0 + i", "i % 4")

# case: another bound
# expect: refuse equal
# breaks: equal
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0

p = rewrite_expr(p, "n", "n - 1")

# case: other data
# expect: refuse equal
# breaks: equal
@proc
def p(x: f32, y: f32):
    x = y * 2.0

p = rewrite_expr(p, "y * _", "y + 2.0")

# case: cells that are the same in some iterations
# family: 3
# expect: refuse equal
# breaks: equal
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] + x[n - 1 - i]

p = rewrite_expr(p, "x[_] + _", "2.0 * x[i]")

# case: halves of integers are nothing
# expect: refuse equal
# breaks: equal
@proc
def p(a: i8, b: i8):
    b = 0.5 * a + 0.5 * a

p = rewrite_expr(p, "0.5 * a + _", "a")

# case: where integers and floating point mix, nothing is taken apart
# expect: refuse equal
# breaks: equal
@proc
def p(a: i8, y: f32):
    y = 0.5 + (a - a)

p = rewrite_expr(p, "0.5 + _", "0.5")

# case: the field has changed since
# family: 3
# expect: refuse equal
# breaks: equal
@config
class Cfg:
    n: size

@proc
def p(n: size, x: f32[n]):
    for j in seq(0, n):
        for i in seq(0, n):
            if i < Cfg.n:
                x[i] += 1.0
        Cfg.n = n

p = rewrite_expr(p, "Cfg.n", "n")

# case: a cell that may have no value
# expect: refuse reads
# breaks: reads
@proc
def p(y: f32):
    t: f32
    y = 0.0

p = rewrite_expr(p, "0.0", "t - t")

# case: a cell outside of its window
# expect: refuse reads
# breaks: reads
@proc
def p(x: f32[8], y: f32):
    w = x[2:6]
    y = x[7]

p = rewrite_expr(p, "x[7]", "w[5]")

# case: a cell that is read in one branch only
# expect: refuse reads
# breaks: reads
@proc
def p(n: size, y: f32[2]):
    t: f32
    if n > 3:
        t = 1.0
        y[0] = t
    y[1] = 2.0

p = rewrite_expr(p, "2.0", "2.0 + 0.0 * t")

# case: a field that another iteration may write
# expect: refuse fields
# breaks: fields
@config
class Cfg:
    at: index

@proc
def p(n: size, x: f32[n], y: f32[n]):
    assert Cfg.at == 0
    for i in par(0, n):
        x[i] = y[0]
        if i == 0:
            Cfg.at = 0

p = rewrite_expr(p, p.find("y[_]").idx()[0], "Cfg.at")

# case: a field that may have no value
# expect: refuse fields
@config
class Cfg:
    at: index

@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0
    Cfg.at = 2

p = rewrite_expr(p, p.find("x[_] = _").idx()[0], "Cfg.at - Cfg.at")

# case: a buffer is no value
# expect: refuse value
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: size, x: f32[n]):
    fill(n, x[0:n])

p = rewrite_expr(p, p.find("fill(_)").args()[1], "x[0:n]")

# case: a cell that is passed is no value
# expect: refuse value
@proc
def zero(x: f32):
    x = 0.0

@proc
def p(n: size, x: f32[n]):
    zero(x[n - 1])

p = rewrite_expr(p, p.find("zero(_)").args()[0], "x[n - 1] + 0.0")

# case: data for control
# expect: argument
@proc
def p(n: size, x: f32[n]):
    x[n - 1] = 1.0

p = rewrite_expr(p, "n - 1", "x[0]")

# case: a name that is not in scope
# expect: argument
@proc
def p(n: size, x: f32[n]):
    x[n - 1] = 1.0
    for i in seq(0, n):
        x[i] = 2.0

p = rewrite_expr(p, "n - 1", "i")

# case: there is no such expression
# expect: invalid
@proc
def p(n: size, x: f32[n]):
    x[n - 1] = 1.0

p = rewrite_expr(p, "n + 1", "n")
