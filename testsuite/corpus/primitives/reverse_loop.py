# case: Each iteration has a cell of its own.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i] + y[i]
p = reverse_loop(p, "i")

# case: The loop does not begin with 0.
# expect: accept
@proc
def p(n: size, m: index, x: f32[n]):
    assert 0 <= m
    for i in seq(m, n):
        x[i] += 1.0
p = reverse_loop(p, "i")

# case: Its bounds are negative.
# expect: accept
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(-n, n):
        x[n + i] = 1.0
p = reverse_loop(p, "i")

# case: A loop that never runs.
# expect: accept
@proc
def p(x: f32[4]):
    for i in seq(5, 2):
        x[i] = x[i - 1]
p = reverse_loop(p, "i")

# case: Sums commute.
# expect: accept
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):
        s += x[i]
p = reverse_loop(p, "i")

# case: The bounds move with the loop around it.
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(i, n):
            x[i, j] = 1.0
p = reverse_loop(p, "j")

# case: The variable stands in quotients, remainders, guards, windows and extents.
# expect: accept
@proc
def p(n: size, x: f32[2 * n + 8]):
    for i in seq(1, n):
        if i % 3 == 1:
            w = x[2 * i:2 * i + 2]
            t: f32[i]
            for k in seq(0, i):
                t[k] = 1.0
            w[i % 2] = t[i - 1]
p = reverse_loop(p, "i")

# case: An inner loop of the same name has a variable of its own.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        x[i, 0] += 1.0
        for i in seq(0, n):
            x[0, i] += 1.0
p = reverse_loop(p, "i")

# case: Back again.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(2, n):
        x[i] = 1.0
p = reverse_loop(p, "i")
p = reverse_loop(p, "i")
p = simplify(p)

# case: A parallel loop.
# expect: accept
@proc
def p(x: f32[8]):
    for i in par(0, 8):
        x[i] = 1.0
p = reverse_loop(p, "i")

# case: Each iteration leaves a field at one value.
# family: 4
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        Cfg.k = 3
        x[i] = 1.0
p = reverse_loop(p, "i")

# case: The body changes the field of a bound where the variable is no longer used.
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        Cfg.n = 8
p = reverse_loop(p, "i")

# case: A cell is read by the next iteration.
# expect: refuse iterations_commute
# breaks: iterations_commute
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i + 1] = x[i] + 1.0
p = reverse_loop(p, "i")

# case: The last value of a cell would be another one.
# expect: refuse iterations_commute
# breaks: iterations_commute
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x = y[i]
p = reverse_loop(p, "i")

# case: The last value of a field would be another one.
# family: 4
# expect: refuse iterations_commute
# breaks: iterations_commute
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        Cfg.k = i
        x[i] = 1.0
p = reverse_loop(p, "i")

# case: A callee leaves a field at a value that depends on the iteration.
# family: 2
# expect: refuse iterations_commute
# breaks: iterations_commute
@config
class Cfg:
    k: index
@proc
def set(k: index):
    Cfg.k = k % 2
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        set(i)
        x[i] = 1.0
p = reverse_loop(p, "i")

# case: Two windows of one buffer overlap.
# family: 3
# expect: refuse iterations_commute
# breaks: iterations_commute
@proc
def p(x: f32[9]):
    v = x[0:8]
    w = x[1:9]
    for i in seq(0, 8):
        w[i] = v[i]
p = reverse_loop(p, "i")

# case: The body moves the end.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 6
    for i in seq(0, Cfg.n):
        Cfg.n = 8
        x[i] += 1.0
p = reverse_loop(p, "i")

# case: The body moves the begin and puts it back, but uses the variable in between.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 0
    for i in seq(Cfg.n, 6):
        Cfg.n = 1
        x[i] += 1.0
        Cfg.n = 0
p = reverse_loop(p, "i")

# case: Every thread would ask for the end, which one of them writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in par(0, Cfg.n):
        x[i] = 1.0
        if i == 1:
            Cfg.n = 8
p = reverse_loop(p, "i")

# case: The pattern finds no loop.
# expect: invalid
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = reverse_loop(p, "x[_] = _")

# case: The last iteration alone moves the end, and comes first.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        if i == 3:
            Cfg.n = 8
p = reverse_loop(p, "i")

# case: The last iteration moves the end in a callee, from where indices are out of bounds.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def far():
    Cfg.n = 20
@proc
def p(x: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        for j in seq(3, i + 1):
            far()
p = reverse_loop(p, "i")

# case: The first iteration alone moves the begin.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 2
    for i in seq(Cfg.n, 8):
        if i < 7:
            x[i] = 1.0
        else:
            x[7] = 1.0
            Cfg.n = 0
p = reverse_loop(p, "i")
