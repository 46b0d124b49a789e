# case: reads and writes
# expect: accept
@proc
def p(n: size, x: f32[n, 8]):
    for i in seq(0, n):
        w = x[i, 2:6]
        for j in seq(0, 4):
            w[j] = 1.0
            w[j] += w[3 - j]
p = inline_window(p, "w = _")

# case: a window of a window
# expect: accept
@proc
def p(x: f32[8, 8]):
    w = x[1:7, 2:8]
    v = w[3, 1:4]
    v[2] = w[0, 0]
p = inline_window(p, "w = _")

# case: the inner window
# expect: accept
@proc
def p(x: f32[8, 8]):
    w = x[1:7, 2:8]
    v = w[3, 1:4]
    v[2] = 3.0
p = inline_window(p, "v = _")

# case: passed on as a whole, in part, and by the cell
# expect: accept
@proc
def f(n: size, t: [f32][n]):
    for i in seq(0, n):
        t[i] += 1.0
@proc
def g(t: f32):
    t = 5.0
@proc
def p(n: size, x: f32[n + 4]):
    w = x[2:n + 2]
    f(n, w)
    f(1, w[0:1])
    g(w[0])
p = inline_window(p, "w = _")

# case: its stride
# expect: accept
@proc
def p(x: f32[8, 5], y: f32):
    w = x[0:8, 3]
    if stride(w, 0) == 5:
        y = w[7]
p = inline_window(p, "w = _")

# case: a window of rank 0
# expect: accept
@proc
def g(t: [f32]):
    t = 5.0
@proc
def p(x: f32[4], y: f32):
    w: [f32] = x[3]
    w = 1.0
    g(w)
    y = w
p = inline_window(p, "w = _")

# case: not used
# expect: accept
@proc
def p(x: f32[4]):
    w = x[0:2]
    x[0] = 1.0
p = inline_window(p, "w = _")

# case: the configuration changes to what it was
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(x: f32[4]):
    assert Cfg.k == 1
    w = x[Cfg.k:Cfg.k + 2]
    Cfg.k = 1
    w[0] = 1.0
p = inline_window(p, "w = _")

# case: the configuration changes
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32[4]):
    assert Cfg.k == 2
    w = x[Cfg.k:Cfg.k + 2]
    Cfg.k = 0
    w[0] = 1.0
p = inline_window(p, "w = _")

# case: a callee changes the configuration
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def f():
    Cfg.k = 0
@proc
def p(x: f32[4]):
    assert Cfg.k == 2
    w = x[Cfg.k:4]
    f()
    w[0] = 1.0
p = inline_window(p, "w = _")

# case: the configuration changes in the loop, after the first use
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32[4]):
    assert Cfg.k == 0
    w = x[Cfg.k:Cfg.k + 2]
    for i in seq(0, 2):
        w[0] += 1.0
        Cfg.k = 2
p = inline_window(p, "w = _")

# case: a point changes
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32[4, 3]):
    assert Cfg.k == 0
    w = x[Cfg.k, 0:3]
    Cfg.k = 1
    x[0, 0] = w[1]
p = inline_window(p, "w = _")

# case: the configuration changes in a branch
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[4]):
    assert Cfg.k == 0
    w = x[Cfg.k:Cfg.k + 2]
    if n > 2:
        Cfg.k = 1
    w[0] = 1.0
p = inline_window(p, "w = _")

# case: an allocation is no window
# expect: invalid
@proc
def p(x: f32[4]):
    w: f32
    w = 1.0
    x[0] = w
p = inline_window(p, "v = _")

# case: the window begins at a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index
@proc
def p(x: f32[4], y: f32[2]):
    assert Cfg.k == 0
    w = x[Cfg.k:4]
    for i in par(0, 2):
        if i == 0:
            Cfg.k = 0
        y[i] = w[i]
p = inline_window(p, "w = _")

# case: a field that another thread changes and puts back
# expect: refuse readable
@config
class Cfg:
    k: index
    j: index

@proc
def touch():
    for i in seq(0, 2):
        Cfg.j = Cfg.k
        Cfg.k = 0
        Cfg.k = Cfg.j

@proc
def p(x: f32[16]):
    Cfg.k = 3
    w = x[Cfg.k:Cfg.k + 8]
    for i in par(0, 8):
        if i == 0:
            touch()
        w[i] = 0.0

p = inline_window(p, "w = _")
