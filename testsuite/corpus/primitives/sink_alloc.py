# case: into a loop
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32
    for i in seq(0, n):
        a = x[i]
        x[i] = a * a
p = sink_alloc(p, "a")

# case: into the branch that uses it
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    if n > 3:
        x[0] = 1.0
    else:
        a[0] = x[0]
        x[0] = a[0] + 1.0
p = sink_alloc(p, "a")

# case: into both branches
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    if n > 3:
        a[1] = 2.0
        x[0] = a[1]
    else:
        a[0] = x[0]
        x[0] = a[0] + 1.0
p = sink_alloc(p, "a")

# case: each iteration writes what it reads, in a loop of its own
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    a: f32[m]
    for i in seq(0, n):
        for j in seq(0, m):
            a[j] = x[i, j]
        for j in seq(0, m):
            x[i, j] = a[j] + a[m - j - 1]
p = sink_alloc(p, "a")

# case: each iteration has a cell of its own
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[i] = x[i]
        a[i] += 1.0
        x[i] = a[i]
p = sink_alloc(p, "a")

# case: a reduction from a fresh start
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m], y: f32[n]):
    s: f32
    for i in seq(0, n):
        s = 0.0
        for j in seq(0, m):
            s += x[i, j]
        y[i] = s
p = sink_alloc(p, "s")

# case: nothing uses it
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32
    for i in seq(0, n):
        x[i] = 1.0
p = sink_alloc(p, "a")

# case: after lift_alloc it goes back
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32[2]
        w = a[0:1]
        w[0] = x[i]
        x[i] = a[0]
p = lift_alloc(p, "a")
p = sink_alloc(p, "a")

# case: used after the loop
# family: 11
# expect: refuse only_inside
@proc
def p(n: size, x: f32[n]):
    a: f32
    for i in seq(0, n):
        a = x[i]
    x[0] = a
p = sink_alloc(p, "a")

# case: its stride decides
# expect: refuse only_inside
@proc
def p(n: size, x: f32[n]):
    a: f32[4]
    if stride(a, 0) == 1:
        a[0] = x[0]
        x[0] = a[0]
p = sink_alloc(p, "a")

# case: set by the first iteration
# family: 11
# expect: refuse no_carry
# breaks: no_carry
@proc
def p(n: size, x: f32[n]):
    a: f32
    for i in seq(0, n):
        if i == 0:
            a = x[0]
        x[i] = a
p = sink_alloc(p, "a")

# case: the cell of the iteration before
# expect: refuse no_carry
# breaks: no_carry
@proc
def p(n: size, x: f32[n]):
    a: f32[n + 1]
    for i in seq(0, n):
        a[i + 1] = x[i]
        if i > 0:
            x[i] = a[i]
p = sink_alloc(p, "a")

# case: a sum over iterations
# family: 5
# expect: refuse no_carry
# breaks: no_carry
@proc
def p(n: size, x: f32[n], y: f32):
    a: f32
    for i in seq(0, n):
        if i == 0:
            a = 0.0
        a += x[i]
        y = a
p = sink_alloc(p, "a")

# case: through a window, by a callee
# family: 9
# expect: refuse no_carry
# breaks: no_carry
@proc
def put(t: [f32][2], x: f32):
    t[1] = x
@proc
def p(n: size, x: f32[n]):
    a: f32[4]
    for i in seq(0, n):
        w = a[1:3]
        if i == 0:
            put(w, x[0])
        x[i] = a[2]
p = sink_alloc(p, "a")

# case: written only when it was the turn of the configuration
# family: 11
# expect: refuse no_carry
# breaks: no_carry
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32[n]):
    assert Cfg.on == True
    a: f32
    for i in seq(0, n):
        if Cfg.on:
            a = x[i]
        Cfg.on = False
        x[i] = a
p = sink_alloc(p, "a")

# case: the extent shrinks
# expect: refuse extents
# breaks: extents
@config
class Cfg:
    n: size
@proc
def p(x: f32[4]):
    assert Cfg.n == 4
    a: f32[Cfg.n]
    for i in seq(0, 4):
        a[3] = x[i]
        x[i] = a[3]
        Cfg.n = 1
p = sink_alloc(p, "a")

# case: followed by no loop
# expect: argument
@proc
def p(x: f32):
    a: f32
    a = x
    x = a
p = sink_alloc(p, "a")

# case: the extent is a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: size
@proc
def p(y: f32[2]):
    assert Cfg.n == 4
    a: f32[Cfg.n]
    for i in par(0, 2):
        if i == 0:
            Cfg.n = 4
        if i == 1:
            a[1] = 1.0
            y[i] = a[1]
p = sink_alloc(p, "a")

# case: past statements that do not use it
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    a: f32[2]
    y[0] = 1.0
    for i in seq(0, n):
        y[i] += 1.0
    for i in seq(0, n):
        a[1] = 1.0
        x[i] = a[1]
    y[0] = 2.0
p = sink_alloc(p, "a")

# case: past a write to a field, into a guard that asks for it
# exo-refuses
# expect: accept
@config
class Cfg:
    n: size
@proc
def p(n: size, x: f32[n]):
    assert n == 4
    a: f32[n]
    Cfg.n = n
    if Cfg.n == 4:
        a[3] = 1.0
        x[0] = a[3]
    else:
        a[0] = 2.0
        x[0] = a[0]
p = sink_alloc(p, "a")

# case: past a write to the field of its extent, into a guard
# expect: refuse extents
# breaks: extents
@config
class Cfg:
    n: size
@proc
def p(x: f32):
    assert Cfg.n == 4
    a: f32[Cfg.n]
    Cfg.n = 1
    if Cfg.n < 3:
        a[3] = x
        x = a[3] + 1.0
p = sink_alloc(p, "a")

# case: past a write after which the field of its extent may not be set
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
    m: index
@proc
def p(n: size, x: f32):
    assert Cfg.n == 4
    a: f32[Cfg.n]
    Cfg.n = Cfg.m - Cfg.m + 4
    if n > 2:
        a[3] = x
        x = a[3] + 1.0
p = sink_alloc(p, "a")

# case: a statement in between makes a window of it
# family: 8
# expect: argument
@proc
def p(n: size, x: f32[n]):
    a: f32[4]
    w = a[0:2]
    for i in seq(0, n):
        a[0] = 1.0
        x[i] = w[0]
p = sink_alloc(p, "a")
