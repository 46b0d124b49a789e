# case: read only: loaded and not stored
# expect: accept
@proc
def p(n: size, x: f32[n, 8], y: f32[n, 8]):
    for i in seq(0, n):
        for j in seq(0, 8):
            y[i, j] = x[i, j] + x[i, 7 - j]
p = stage_mem(p, "for j in _: _", "x[i, 0:8]", "t")

# case: all of it is written: stored and not loaded
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] * 2.0
p = stage_mem(p, "for i in _: _", "y[0:n]", "t")

# case: loaded all the same
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] * 2.0
p = stage_mem(p, "for i in _: _", "y[0:n]", "t", load=True)

# case: a part of it is written: loaded too
# family: 11
# expect: accept
@proc
def p(x: f32[9]):
    for i in seq(0, 8):
        x[i] = 1.0
p = stage_mem(p, "for i in _: _", "x[0:9]", "t")

# case: written under a guard
# family: 11
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i > 2:
            x[i] = 1.0
p = stage_mem(p, "for i in _: _", "x[0:n]", "t")

# case: in a loop that may not run
# family: 11
# expect: accept
@proc
def p(n: size, k: index, x: f32[n]):
    for j in seq(0, k):
        for i in seq(0, n):
            x[i] = 1.0
p = stage_mem(p, "for j in _: _", "x[0:n]", "t")

# case: a reduction is loaded and stored
# expect: accept
@proc
def p(n: size, x: f32[n, n], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, n):
            y[i] += x[i, j]
p = stage_mem(p, "for j in _: _", "y[i]", "t")

# case: a reduction that starts from zero
# expect: accept
@proc
def p(n: size, x: f32[n, n], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, n):
            y[i] += x[i, j]
p = stage_mem(p, "for j in _: _", "y[i]", "t", accum=True)

# case: the window of App. A: rows above each other
# expect: accept
@proc
def p(n: size, m: size, j: index, x: f32[n, m]):
    assert j > 0
    assert j < m
    for i in seq(0, n - 1):
        x[i, j] = x[i + 1, j - 1]
p = stage_mem(p, "for i in _: _", "x[0:n, j - 1:j + 1]", "t")

# case: what is apart from the window stays
# expect: accept
@proc
def p(x: f32[16]):
    for i in seq(0, 8):
        x[i] = x[i + 8] * 2.0
p = stage_mem(p, "for i in _: _", "x[0:8]", "t")

# case: windows and arguments in the statements
# expect: accept
@proc
def f(t: [f32][4]):
    assert stride(t, 0) == 1
    for i in seq(0, 4):
        t[i] += 1.0
@proc
def g(t: f32):
    t = 5.0
@proc
def p(x: f32[16]):
    f(x[4:8])
    w = x[6:8]
    w[1] = 3.0
    g(x[5])
p = stage_mem(p, p.body()[0:4], "x[4:8]", "t")

# case: passed as a whole
# expect: accept
@proc
def f(n: size, t: f32[n]):
    for i in seq(0, n):
        t[i] += 1.0
@proc
def p(n: size, x: f32[n]):
    f(n, x)
p = stage_mem(p, "f(_)", "x[0:n]", "t")

# case: a window that may leave the buffer asks for each cell
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for io in seq(0, (n + 3) / 4):
        for ii in seq(0, 4):
            if 4 * io + ii < n:
                x[4 * io + ii] += y[4 * io + ii]
p = stage_mem(p, "for ii in _: _", "x[4 * io:4 * io + 4]", "t")

# case: a scalar
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x += y[i]
p = stage_mem(p, "for i in _: _", "x", "t")

# case: a reading window beside reads
# expect: accept
@proc
def p(x: f32[8], y: f32[8]):
    w = x[0:8]
    for i in seq(0, 8):
        y[i] = x[i] + w[7 - i]
p = stage_mem(p, "for i in _: _", "x[0:8]", "t")

# case: in a parallel iteration, its own cells
# expect: accept
@proc
def p(n: size, x: f32[n, 4]):
    for i in par(0, n):
        for j in seq(0, 4):
            x[i, j] += 1.0
p = stage_mem(p, "for j in _: _", "x[i, 0:4]", "t")

# case: a window of a window argument, dependent bounds
# expect: accept
@proc
def p(n: size, m: size, x: [f32][n, m]):
    for i in seq(0, n):
        for j in seq(i, m):
            if i < m:
                x[i, j] = x[i, i] + 1.0
p = stage_mem(p, "if _: _", "x[i, i:j + 1]", "t")

# case: a window that may be empty, and ends where the next one is
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32):
    for i in seq(0, n):
        for j in seq(0, i):
            y += x[j] * x[i]
        x[i] = y
p = stage_mem(p, "for j in _: _", "x[0:i]", "t")

# case: a window that may be empty, written and stored
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(i + 1, n):
            x[i, j] = x[i, i] + 1.0
p = stage_mem(p, "for j in _: _", "x[i, i + 1:n]", "t")

# case: a window that is wider than the buffer, of which all cells are written
# expect: accept
@proc
def p(n: size, y: f32[n]):
    assert n % 4 == 0
    for io in seq(0, n / 4):
        for ii in seq(0, 4):
            y[4 * io + ii] = 1.0
p = stage_mem(p, "for io in _: _", "y[0:n + 4]", "t")

# case: a window that is wider than the buffer, of which a cell is not written
# expect: accept
@proc
def p(n: size, y: f32[n]):
    for i in seq(0, n - 1):
        y[i] = 1.0
p = stage_mem(p, "for i in _: _", "y[0:n + 4]", "t")

# case: the memory is the buffer's, also through a window
# expect: accept
@proc
def p(x: f32[8] @ DRAM_STATIC):
    w = x[0:4]
    for i in seq(0, 4):
        w[i] += 1.0
p = stage_mem(p, "for i in _: _", "w[0:4]", "t")

# case: no window at all
# expect: accept
@proc
def p(x: f32[4]):
    x[0] = 1.0
p = stage_mem(p, "x[_] = _", "x[2:2]", "t")

# case: the window may end before it begins
# expect: refuse nonnegative
# breaks: nonnegative
@proc
def p(n: size, x: f32[n]):
    for i in seq(4, n):
        x[i] = 1.0
p = stage_mem(p, "for i in _: _", "x[4:n]", "t")

# case: a field that nobody may have set
# expect: refuse readable
@config
class Cfg:
    k: size
@proc
def p(x: f32[8]):
    x[0] = 1.0
    Cfg.k = 4
p = stage_mem(p, "x[_] = _", "x[0:Cfg.k]", "t")

# case: one cell too few
# expect: refuse inside
# breaks: inside
@proc
def p(x: f32[8]):
    for i in seq(0, 5):
        x[i] = 1.0
p = stage_mem(p, "for i in _: _", "x[0:4]", "t")

# case: a read below the window
# expect: refuse inside
# breaks: inside
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]
p = stage_mem(p, "for i in _: _", "x[1:n + 1]", "t")

# case: another row
# expect: refuse inside
# breaks: inside
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(1, n):
        for j in seq(0, 4):
            x[i, j] = x[i - 1, j] + x[0, j]
p = stage_mem(p, "for j in _: _", "x[0, 0:4]", "t")

# case: written through a window made before
# family: 8
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32[8]):
    w = x[0:4]
    for i in seq(0, 4):
        x[i] += 1.0
        w[0] = 2.0
p = stage_mem(p, "for i in _: _", "x[0:4]", "t")

# case: read through a window while the window is changed
# family: 8
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32[8], y: f32[4]):
    w = x[0:4]
    for i in seq(0, 4):
        x[i] = 1.0
        y[i] = w[i]
p = stage_mem(p, "for i in _: _", "x[0:4]", "t")

# case: a callee writes it through a window
# family: 9
# expect: refuse apart
# breaks: apart
@proc
def f(t: [f32][4]):
    t[0] = 7.0
@proc
def p(x: f32[8], y: f32[4]):
    w = x[0:4]
    for i in seq(0, 4):
        f(w)
        y[i] = x[0]
p = stage_mem(p, "for i in _: _", "x[0:4]", "t")

# case: a window that is used later
# expect: refuse windows
# breaks: windows
@proc
def p(x: f32[8]):
    x[1] = 1.0
    w = x[0:4]
    w[0] = 2.0
p = stage_mem(p, p.body()[0:2], "x[0:4]", "t")

# case: a window of a window that is used later
# expect: refuse windows
# breaks: windows
@proc
def p(x: f32[8]):
    x[1] = 1.0
    w = x[0:4]
    v = w[0:2]
    v[0] = 2.0
p = stage_mem(p, p.body()[0:3], "x[0:4]", "t")

# case: the window moves
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32[8]):
    assert Cfg.k == 2
    x[Cfg.k] = 1.0
    Cfg.k = 0
p = stage_mem(p, p.body()[0:2], "x[Cfg.k:Cfg.k + 2]", "t")

# case: the window moves between two uses
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32[8], y: f32):
    assert Cfg.k == 2
    Cfg.k = 0
    y = x[3]
p = stage_mem(p, p.body()[0:2], "x[Cfg.k:Cfg.k + 2]", "t")

# case: a callee asks for the stride
# expect: refuse strides
# breaks: strides
@proc
def f(t: [f32][4]):
    assert stride(t, 0) == 8
    t[0] = 1.0
@proc
def p(x: f32[4, 8]):
    f(x[0:4, 2])
p = stage_mem(p, "f(_)", "x[0:4, 2]", "t")

# case: the extent is not what it was
# expect: refuse bounds
# breaks: bounds
@config
class Cfg:
    n: size
@proc
def p(n: size, y: f32[n]):
    assert Cfg.n == 4
    x: f32[Cfg.n]
    x[2] = 5.0
    Cfg.n = 1
    for i in seq(0, n):
        if i < 4:
            y[i] = x[2]
p = stage_mem(p, "for i in _: _", "x[0:n + 2]", "t")

# case: parallel iterations would store all of it
# expect: refuse parallel
# breaks: parallel
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
p = stage_mem(p, "x[_] = _", "x[0:n]", "t")

# case: accumulated and assigned
# expect: refuse accumulates
# breaks: accumulates
@proc
def p(n: size, x: f32[n], y: f32):
    for i in seq(0, n):
        if i == 0:
            y = 1.0
        y += x[i]
p = stage_mem(p, "for i in _: _", "y", "t", accum=True)

# case: accumulated and read
# expect: refuse accumulates
# breaks: accumulates
@proc
def p(n: size, x: f32[n], y: f32):
    for i in seq(0, n):
        y += x[i]
        x[i] = y
p = stage_mem(p, "for i in _: _", "y", "t", accum=True)

# case: a buffer that is allocated in the statements
# expect: argument
@proc
def p(x: f32):
    a: f32[4]
    a[0] = x
    x = a[0]
p = stage_mem(p, p.body()[0:3], "a[0:4]", "t")

# case: the window begins at a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index
@proc
def p(x: f32[4], y: f32[2]):
    assert Cfg.k == 0
    for i in par(0, 2):
        if i == 0:
            Cfg.k = 0
        y[i] = x[i]
p = stage_mem(p, "for i in _: _", "x[Cfg.k:4]", "t")
