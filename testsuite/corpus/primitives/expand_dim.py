# case: a scalar gets a place for each iteration
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        a: f32
        a = x[i]
        y[i] = a
p = expand_dim(p, "a", "n", "i")

# case: an index that the extent bounds only by the loop's own bound
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, m):
        if i < n:
            a: f32[2]
            a[1] = x[i]
            x[i] = a[1]
p = expand_dim(p, "a", "n", "i")

# case: a negative index made positive
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(-2, 1):
        a: f32
        a = x[0]
        x[0] = a
p = expand_dim(p, "a", "3", "i + 2")

# case: windows, arguments and strides
# expect: accept
@proc
def f(n: size, t: [f32][n]):
    assert stride(t, 0) == 1
    t[0] = 1.0
@proc
def g(t: f32):
    t = 3.0
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        a: f32[4]
        b: f32
        f(4, a)
        f(2, a[1:3])
        g(b)
        g(a[3])
        w = a[2:4]
        w[0] = b
        if stride(a, 0) == 1:
            x[i, 0] = a[0] + a[1] + a[2] + a[3]
p = expand_dim(p, "a", "n", "i")

# case: a scalar passed by reference becomes a cell passed by reference
# expect: accept
@proc
def g(t: f32):
    t = 3.0
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        b: f32
        g(b)
        x[i] = b
p = expand_dim(p, "b", "n", "n - i - 1")

# case: the size comes from the configuration, which an assertion decides
# expect: accept
@config
class Cfg:
    n: size
@proc
def p(n: size, x: f32[n]):
    assert Cfg.n == n
    for i in seq(0, n):
        a: f32
        a = 1.0
        x[i] = a
p = expand_dim(p, "a", "Cfg.n", "i")

# case: no iteration runs
# expect: accept
@proc
def p(x: f32):
    for i in seq(3, 2):
        a: f32
        a = 1.0
        x = a
p = expand_dim(p, "a", "1", "i")

# case: the size may be below 1
# expect: refuse positive
# breaks: positive
@proc
def p(n: size, x: f32):
    a: f32
    if n > 3:
        a = 1.0
        x = a
p = expand_dim(p, "a", "n - 3", "0")

# case: a size that nobody may have set
# expect: refuse readable
@config
class Cfg:
    n: size
@proc
def p(x: f32):
    a: f32
    a = 1.0
    x = a
    Cfg.n = 4
p = expand_dim(p, "a", "Cfg.n", "0")

# case: one place too few
# expect: refuse in_bounds
# breaks: in_bounds
@proc
def p(x: f32[5]):
    for i in seq(0, 5):
        a: f32
        a = x[i]
        x[i] = a
p = expand_dim(p, "a", "4", "i")

# case: below 0
# family: 12
# expect: refuse in_bounds
# breaks: in_bounds
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32
        a = x[i]
        x[i] = a
p = expand_dim(p, "a", "n", "i - 1")

# case: a window is a use though no cell is touched through it
# expect: refuse in_bounds
# breaks: in_bounds
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32[2]
        w = a[0:2]
        x[i] = 1.0
p = expand_dim(p, "a", "1", "i")

# case: the place moves with the configuration
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32):
    assert Cfg.k == 0
    a: f32
    a = 1.0
    Cfg.k = 1
    x = a
p = expand_dim(p, "a", "2", "Cfg.k")

# case: a callee moves the place
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def move():
    Cfg.k = 1
@proc
def p(x: f32):
    assert Cfg.k == 0
    a: f32
    a = 1.0
    move()
    x = a
p = expand_dim(p, "a", "2", "Cfg.k")

# case: passed for a tensor
# expect: accept
@proc
def f(t: f32[4]):
    t[0] = 1.0
@proc
def p(x: f32):
    a: f32[4]
    f(a)
    x = a[0]
p = expand_dim(p, "a", "2", "1")

# case: passed for a tensor that asks for its strides
# expect: accept
@proc
def f(t: f32[3, 4]):
    if stride(t, 0) == 4:
        t[2, 1] = 1.0
@proc
def p(x: f32):
    a: f32[3, 4]
    a[2, 1] = 0.0
    f(a)
    x = a[2, 1]
p = expand_dim(p, "a", "2", "1")

# case: passed whole, where its extent may be another one
# expect: refuse windows
@config
class Cfg:
    k: size
@proc
def f(n: size, t: [f32][n]):
    t[0] = 1.0
@proc
def p(x: f32):
    a: f32[Cfg.k]
    f(Cfg.k, a)
    x = a[0]
p = expand_dim(p, "a", "2", "1")

# case: a name that is not in scope at the allocation
# expect: argument
@proc
def p(n: size, x: f32[n]):
    a: f32
    for i in seq(0, n):
        a = x[i]
        x[i] = a
p = expand_dim(p, "a", "n", "i")

# case: the place is read from a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index
@proc
def p(y: f32[2]):
    assert Cfg.k == 0
    a: f32
    a = 1.0
    for i in par(0, 2):
        if i == 0:
            Cfg.k = 0
        y[i] = a
p = expand_dim(p, "a", "1", "Cfg.k")
