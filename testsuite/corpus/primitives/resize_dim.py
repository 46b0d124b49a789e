# case: only the middle is used
# expect: accept
@proc
def p(n: size, x: f32[n]):
    assert n > 4
    a: f32[n, 2]
    for i in seq(2, 5):
        a[i, 1] = x[i]
    for i in seq(2, 5):
        x[i] = a[i, 1] * 2.0
p = resize_dim(p, "a", 0, "3", "2")

# case: larger than before
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[i] = x[i]
        x[i] = a[i]
p = resize_dim(p, "a", 0, "n + 3", "-1")

# case: by an extent that a guard justifies
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        if i < m:
            a[i] = x[i]
            x[i] = a[i] + 1.0
p = resize_dim(p, "a", 0, "m", "0")

# case: windows move, and a whole buffer becomes a window
# expect: accept
@proc
def f(n: size, t: [f32][n]):
    assert stride(t, 0) == 1
    for i in seq(0, n):
        t[i] = 1.0
@proc
def p(x: f32[8]):
    a: f32[8]
    f(4, a[2:6])
    w = a[3:5]
    w[1] = 2.0
    for i in seq(2, 6):
        x[i] = a[i]
p = resize_dim(p, "a", 0, "4", "2")

# case: a circular buffer of three rows
# family: 7
# expect: accept
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    a: f32[n + 2]
    a[0] = x[0]
    a[1] = x[1]
    for i in seq(0, n):
        a[i + 2] = x[i + 2]
        y[i] = a[i] + a[i + 1] + a[i + 2]
p = resize_dim(p, "a", 0, "3", "0", fold=True)

# case: rows that are computed again
# family: 7
# expect: accept
@proc
def p(n: size, x: f32[n + 2, 4], y: f32[n, 4]):
    a: f32[n + 2, 4]
    for i in seq(0, n):
        for k in seq(0, 3):
            for j in seq(0, 4):
                a[i + k, j] = x[i + k, j]
        for j in seq(0, 4):
            y[i, j] = a[i, j] + a[i + 1, j] + a[i + 2, j]
p = resize_dim(p, "a", 0, "3", "0", fold=True)

# case: a folded buffer with a window of one row
# family: 7
# expect: accept
@proc
def f(t: [f32][4], x: [f32][4]):
    for j in seq(0, 4):
        t[j] = x[j]
@proc
def p(n: size, x: f32[n, 4]):
    a: f32[n, 4]
    for i in seq(0, n):
        f(a[i, 0:4], x[i, 0:4])
        w = a[i, 1:3]
        x[i, 0] = w[1]
p = resize_dim(p, "a", 0, "1", "0", fold=True)

# case: different columns may run apart
# expect: accept
@proc
def p(x: f32[8]):
    a: f32[8, 2]
    for i in seq(0, 8):
        a[i, 0] = x[i]
        x[i] = a[i, 0]
    for i in seq(0, 8):
        a[i, 1] = x[i]
        x[i] = a[i, 1]
p = resize_dim(p, "a", 0, "1", "0", fold=True)

# case: the new extent may be below 1
# expect: refuse positive
# breaks: positive
@proc
def p(n: size, x: f32):
    a: f32[n + 1]
    if n > 3:
        a[0] = 1.0
        x = a[0]
p = resize_dim(p, "a", 0, "n - 3", "0")

# case: an index beyond the new extent
# expect: refuse in_bounds
# breaks: in_bounds
@proc
def p(x: f32[4]):
    a: f32[4]
    for i in seq(0, 4):
        a[i] = x[i]
        x[i] = a[i]
p = resize_dim(p, "a", 0, "3", "0")

# case: an index below the offset
# expect: refuse in_bounds
# breaks: in_bounds
@proc
def p(x: f32[4]):
    a: f32[4]
    for i in seq(0, 4):
        a[i] = x[i]
        x[i] = a[i]
p = resize_dim(p, "a", 0, "4", "1")

# case: a window of which only a part is used
# expect: refuse in_bounds
# breaks: in_bounds
@proc
def p(x: f32):
    a: f32[4]
    w = a[0:4]
    w[0] = 1.0
    x = a[0]
p = resize_dim(p, "a", 0, "2", "0")

# case: the offset moves with the configuration
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32):
    assert Cfg.k == 0
    a: f32[8]
    a[4] = 1.0
    Cfg.k = 1
    x = a[4]
p = resize_dim(p, "a", 0, "8", "Cfg.k")

# case: a cell is overwritten before it is read
# family: 7
# expect: refuse order
# breaks: order
@proc
def p(x: f32):
    a: f32[4]
    a[0] = 1.0
    a[2] = 2.0
    x = a[0]
p = resize_dim(p, "a", 0, "2", "0", fold=True)

# case: the right-hand side is exactly a read of a cell that is gone
# family: 7
# expect: refuse order
# breaks: order
@proc
def p(n: size, x: f32[n + 2], y: f32[n + 2]):
    a: f32[n + 2]
    for i in seq(0, n + 2):
        a[i] = x[i]
    for i in seq(0, n):
        y[i] = a[i]
p = resize_dim(p, "a", 0, "2", "0", fold=True)

# case: through a window of a row that is gone
# family: 7
# expect: refuse order
# breaks: order
@proc
def p(x: f32[4]):
    a: f32[4, 2]
    w = a[0, 0:2]
    for i in seq(0, 4):
        a[i, 1] = x[i]
        x[i] = w[1]
p = resize_dim(p, "a", 0, "2", "0", fold=True)

# case: a callee writes the row after next
# family: 7 9
# expect: refuse order
# breaks: order
@proc
def f(t: f32):
    t = 9.0
@proc
def p(x: f32[4]):
    a: f32[6]
    for i in seq(0, 4):
        a[i] = x[i]
        f(a[i + 2])
        x[i] = a[i]
p = resize_dim(p, "a", 0, "2", "0", fold=True)

# case: iterations that run at once
# expect: refuse parallel
# breaks: parallel
@proc
def p(x: f32[4]):
    a: f32[4]
    for i in par(0, 4):
        a[i] = x[i]
p = resize_dim(p, "a", 0, "2", "0", fold=True)

# case: a window that keeps the folded dimension
# family: 7
# expect: refuse windows
@proc
def p(x: f32):
    a: f32[4]
    w = a[0:2]
    w[0] = 1.0
    x = a[0]
p = resize_dim(p, "a", 0, "2", "0", fold=True)

# case: a stride across the dimension
# expect: refuse strides
# breaks: strides
@proc
def f(t: [f32][3]):
    assert stride(t, 0) == 4
    t[0] = 1.0
@proc
def p(x: f32):
    a: f32[3, 4]
    f(a[0:3, 0])
    x = a[0, 0]
p = resize_dim(p, "a", 1, "2", "0")

# case: folded to an unknown number of places
# expect: argument
@proc
def p(n: size, x: f32):
    a: f32[n]
    a[0] = 1.0
    x = a[0]
p = resize_dim(p, "a", 0, "n", "0", fold=True)

# case: the offset is read from a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index
@proc
def p(y: f32[2]):
    assert Cfg.k == 0
    a: f32[2]
    a[0] = 1.0
    a[1] = 2.0
    for i in par(0, 2):
        if i == 0:
            Cfg.k = 0
        y[i] = a[i]
p = resize_dim(p, "a", 0, "2", "Cfg.k")

# case: an offset that nobody may have set
# expect: refuse readable
@config
class Cfg:
    k: index
@proc
def p(y: f32):
    a: f32[2]
    a[0] = 1.0
    y = a[0]
    Cfg.k = 1
p = resize_dim(p, "a", 0, "2", "Cfg.k - Cfg.k")

# case: folded, where accesses go downwards
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[n - 1 - i] = x[i]
        y[i] = a[n - 1 - i]
p = resize_dim(p, "a", 0, 2, 0, fold=True)

# case: folded, with the cell above the last one
# exo-refuses
# expect: accept
@proc
def p(x: f32[20], y: f32[20]):
    a: f32[20]
    for i in seq(0, 18):
        a[19 - i] = x[i]
        if i > 0:
            y[i] = a[19 - i] + a[20 - i]
p = resize_dim(p, "a", 0, 2, 0, fold=True)

# case: folded to fewer places than the way down needs
# expect: refuse order
# breaks: order
@proc
def p(x: f32[20], y: f32[20]):
    a: f32[20]
    for i in seq(0, 18):
        a[19 - i] = x[i]
        if i > 1:
            y[i] = a[19 - i] + a[21 - i]
p = resize_dim(p, "a", 0, 2, 0, fold=True)

# case: folded, up and then down again
# expect: refuse order
# breaks: order
@proc
def p(x: f32[8], y: f32[8]):
    a: f32[8]
    for i in seq(0, 8):
        a[i] = x[i]
    for i in seq(0, 8):
        y[i] = a[7 - i]
p = resize_dim(p, "a", 0, 4, 0, fold=True)
