@config
class Cfg:
    a: index
    n: size

# proved: a loop over the extent
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0  # here

# refuted: the last iteration is beyond
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n + 1):
        x[i] = 1.0  # here

# refuted: the first iteration is before
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i - 1] = 1.0  # here

# proved: the predecessor, after the first
@proc
def p(n: size, x: f32[n]):
    for i in seq(1, n):
        x[i - 1] = 1.0  # here

# proved: the predecessor, guarded
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i > 0:
            x[i - 1] = 1.0  # here

# refuted: the neighbour, guarded for the wrong end
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i > 0:
            x[i + 1] = 1.0  # here

# proved: a tile of a multiple
@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    for io in seq(0, n / 4):
        for ii in seq(0, 4):
            x[4 * io + ii] = 1.0  # here

# refuted: a tile of what may be no multiple
@proc
def p(n: size, x: f32[n]):
    for io in seq(0, (n + 3) / 4):
        for ii in seq(0, 4):
            x[4 * io + ii] = 1.0  # here

# proved: a tile rounded up, guarded
@proc
def p(n: size, x: f32[n]):
    for io in seq(0, (n + 3) / 4):
        for ii in seq(0, 4):
            if 4 * io + ii < n:
                x[4 * io + ii] = 1.0  # here

# proved: a remainder
@proc
def p(k: index, x: f32[8]):
    x[k % 8] = 1.0  # here

# refuted: a remainder that is too large
@proc
def p(k: index, x: f32[7]):
    x[k % 8] = 1.0  # here

# refuted: a quotient of a negative number
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[(i - 1) / 2] = 1.0  # here

# proved: a quotient of a number shifted up
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[(i + 1) / 2] = 1.0  # here

# refuted: with one cell, the quotient shifted up by two
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[(i + 2) / 2] = 1.0  # here

# proved: a triangle
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(i, n):
            x[j - i, i] = 1.0  # here

# refuted: a triangle turned
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            x[j - i, i] = 1.0  # here

# proved: a window's own extent
@proc
def p(n: size, x: f32[n + 4]):
    w = x[2:n + 2]
    for i in seq(0, n):
        w[i] = 1.0  # here

# refuted: within the buffer, and not within the window
@proc
def p(n: size, x: f32[n + 4]):
    w = x[2:n + 2]
    for i in seq(0, n):
        w[i + 1] = 1.0  # here

# proved: a window of a window
@proc
def p(x: f32[16]):
    w = x[4:12]
    v = w[2:6]
    for i in seq(0, 4):
        v[i] = 1.0  # here

# refuted: a window of a window is shorter than the first
@proc
def p(x: f32[16]):
    w = x[4:12]
    v = w[2:6]
    for i in seq(0, 5):
        v[i] = 1.0  # here

# proved: a row of rank 1
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        w = x[i, :]
        for j in seq(0, m):
            w[j] = 1.0  # here

# refuted: the row's extent is the column's
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        w = x[i, :]
        for j in seq(0, n):
            w[j] = 1.0  # here

# proved: an allocation of a size in a loop
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32[i + 1]
        t[i] = 1.0  # here

# refuted: an allocation of a size in a loop, one too short
@proc
def p(n: size, x: f32[n]):
    for i in seq(1, n + 1):
        t: f32[i]
        t[i] = 1.0  # here

# proved: the extent of the moment when a field was read
@proc
def p(x: f32):
    Cfg.n = 8
    t: f32[Cfg.n]
    Cfg.n = 2
    t[7] = 1.0  # here

# refuted: the field of now is not the extent
@proc
def p(x: f32):
    Cfg.n = 2
    t: f32[Cfg.n]
    Cfg.n = 8
    t[Cfg.n - 1] = 1.0  # here

# proved: a field as an index, within asserted limits
@proc
def p(x: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    x[Cfg.a] = 1.0  # here

# refuted: a field as an index that was changed since the assertion
@proc
def p(x: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    Cfg.a = Cfg.a + 1
    x[Cfg.a] = 1.0  # here

# refuted: a field that each iteration moves on
@proc
def p(n: size, x: f32[1]):
    Cfg.a = 0
    for i in seq(0, n):
        x[Cfg.a] = 1.0  # here
        Cfg.a = Cfg.a + 1

# proved: a field that each iteration sets from its own number
@proc
def p(n: size, x: f32[n]):
    Cfg.a = 0
    for i in seq(0, n):
        x[Cfg.a] = 1.0  # here
        Cfg.a = i

# proved: an argument hidden by a buffer of another extent
@proc
def p(n: size, t: f32[n]):
    for i in seq(0, n):
        t: f32[n + 1]
        t[i + 1] = 1.0  # here

# proved: a scalar
@proc
def p(x: f32):
    x = 1.0  # here

# proved: never reached
@proc
def p(n: size, x: f32[n]):
    if n < 1:
        x[n] = 1.0  # here
    x[0] = 1.0
