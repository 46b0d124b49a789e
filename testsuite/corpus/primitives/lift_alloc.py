# case: out of a loop
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32[4]
        a[1] = x[i]
        x[i] = a[1]
p = lift_alloc(p, "a")

# case: out of two loops and a guard
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        if i > 2:
            for j in seq(0, m):
                a: f32[n + m]
                a[i + j] = x[i, j]
                x[i, j] = a[i + j]
p = lift_alloc(p, "a", 3)

# case: past other statements, out of an else branch
# expect: accept
@proc
def p(n: size, x: f32[n]):
    if n > 3:
        x[0] = 1.0
    else:
        x[0] = 2.0
        a: f32
        a = x[0]
        x[0] = a + a
p = lift_alloc(p, "a", n_lifts=1)

# case: what an iteration has left may be read where nothing was defined
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32
        if i == 0:
            a = 1.0
        x[i] = a
p = lift_alloc(p, "a")

# case: a loop that does not run
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(n, 0):
        a: f32[n]
        a[i] = 1.0
        x[0] = a[i]
p = lift_alloc(p, "a")

# case: the extent is 1 or more outside too, by an assertion
# expect: accept
@proc
def p(n: size, x: f32[n]):
    assert n > 4
    for i in seq(0, n):
        if n > 5:
            a: f32[n - 4]
            a[0] = 1.0
            x[i] = a[0]
p = lift_alloc(p, "a", 2)

# case: each parallel iteration has a place of its own
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        a: f32[n]
        a[i] = x[i]
        y[i] = a[i]
p = lift_alloc(p, "a")

# case: out of a loop inside of a parallel one
# expect: accept
@proc
def p(n: size, x: f32[n, 4], y: f32[n, 4]):
    for i in par(0, n):
        for j in seq(0, 4):
            a: f32
            a = x[i, j]
            y[i, j] = a
p = lift_alloc(p, "a")

# case: the extent depends on the loop
# family: 6
# expect: refuse extents
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32[i + 1]
        a[i] = x[i]
        x[i] = a[i]
p = lift_alloc(p, "a")

# case: the extent grows with the configuration
# expect: refuse extents
# breaks: extents
@config
class Cfg:
    n: size
@proc
def p(x: f32[4]):
    assert Cfg.n == 1
    for i in seq(0, 4):
        a: f32[Cfg.n]
        a[Cfg.n - 1] = x[i]
        x[i] = a[Cfg.n - 1]
        Cfg.n = Cfg.n + 1
p = lift_alloc(p, "a")

# case: the extent is written on the way down
# expect: refuse extents
# breaks: extents
@config
class Cfg:
    n: size
@proc
def p(x: f32[4]):
    assert Cfg.n == 1
    if stride(x, 0) == 1:
        Cfg.n = 4
        a: f32[Cfg.n]
        a[3] = x[0]
        x[1] = a[3]
p = lift_alloc(p, "a")

# case: empty where the guard does not hold
# expect: accept
@proc
def p(n: size, x: f32[n]):
    if n > 1:
        a: f32[n - 1]
        a[0] = x[0]
        x[1] = a[0]
p = lift_alloc(p, "a")

# case: below 0 where the guard does not hold
# family: 11
# expect: refuse nonnegative
# breaks: nonnegative
@proc
def p(n: size, x: f32[n]):
    if n > 4:
        a: f32[n - 4]
        a[0] = x[0]
        x[1] = a[0]
p = lift_alloc(p, "a")

# case: below 0 where the loop does not run
# family: 11
# expect: refuse nonnegative
# breaks: nonnegative
@proc
def p(n: size, k: index, x: f32[n]):
    for i in seq(0, k):
        a: f32[k]
        a[i] = 1.0
        x[0] = a[i]
p = lift_alloc(p, "a")

# case: a field that nobody may have set
# expect: refuse readable
@config
class Cfg:
    n: size
@proc
def p(n: size, x: f32[n]):
    if n > 4:
        a: f32[Cfg.n]
        a[0] = x[0]
        x[1] = a[0]
p = lift_alloc(p, "a")

# case: parallel iterations would share it
# expect: refuse parallel
# breaks: parallel
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        a: f32
        a = x[i]
        y[i] = a
p = lift_alloc(p, "a")

# case: parallel iterations would share it, from inside a sequential loop
# expect: refuse parallel
# breaks: parallel
@proc
def p(n: size, x: f32[n, 4], y: f32[n, 4]):
    for i in par(0, n):
        for j in seq(0, 4):
            a: f32[4]
            a[j] = x[i, j]
            y[i, j] = a[j]
p = lift_alloc(p, "a", 2)

# case: further than there are loops
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32
        a = x[i]
        x[i] = a
p = lift_alloc(p, "a", 2)

# case: the extent is a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: size
@proc
def p(k: index, y: f32[2]):
    assert Cfg.n == 4
    assert k == 0
    for i in par(0, 2):
        if i == 0:
            Cfg.n = 4
        if k > 0:
            a: f32[Cfg.n]
            a[1] = 1.0
            y[i] = a[1]
p = lift_alloc(p, "a")
