# case: A cut in the middle.
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 1.0
p = cut_loop(p, "i", 3)

# case: A cut at the begin leaves a loop that never runs.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = cut_loop(p, "i", 0)

# case: A cut at the end leaves a loop that never runs.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0
p = cut_loop(p, "i", "n")

# case: A cut in an expression of the arguments, within by an assertion.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert m < n
    for i in seq(0, n):
        x[i] += 1.0
p = cut_loop(p, "i", "n - m")

# case: A cut that moves with the loop around it, over a triangle.
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            x[i, j] = 1.0
p = cut_loop(p, "j", "i + 1")

# case: A loop whose bounds are negative.
# expect: accept
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(-n, n):
        x[i + n] = 1.0
p = cut_loop(p, "i", 0)

# case: A loop that never runs may be cut between its bounds all the same.
# exo-refuses
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(5, 2):
        x[i] = 1.0
p = cut_loop(p, "i", 4)

# case: What an iteration leaves for the next goes on over the cut.
# expect: accept
@proc
def p(x: f32[8], acc: f32):
    for i in seq(0, 8):
        t: f32
        t = acc
        acc = x[i]
        x[i] = t
p = cut_loop(p, "i", 1)

# case: The loop changes its bound, but not before the cut.
# exo-refuses
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        if i > 3:
            Cfg.n = i
p = cut_loop(p, "i", 3)

# case: Both parts of a parallel loop are parallel.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
p = cut_loop(p, "i", "n / 2")

# case: The cut is after the end.
# expect: refuse between
# breaks: between
@proc
def p(x: f32[8]):
    for i in seq(0, 3):
        x[i] = 1.0
p = cut_loop(p, "i", 5)

# case: The cut is before the begin.
# expect: refuse between
# breaks: between
@proc
def p(x: f32[8]):
    for i in seq(2, 4):
        x[i] = 1.0
p = cut_loop(p, "i", 1)

# case: The loop may be shorter than the cut.
# family: 12
# expect: refuse between
# breaks: between
@proc
def p(n: size, x: f32[n + 4]):
    for i in seq(0, n):
        x[i] = 1.0
p = cut_loop(p, "i", 2)

# case: A loop that never runs is cut behind its begin.
# family: 12
# expect: refuse between
# breaks: between
@proc
def p(x: f32[8]):
    for i in seq(5, 2):
        x[i] = 1.0
p = cut_loop(p, "i", 7)

# case: The first part changes the bound of the second.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        Cfg.n = 4
p = cut_loop(p, "i", 3)

# case: The first part changes the cut.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 3
    for i in seq(0, 8):
        x[i] += 1.0
        Cfg.n = 5
p = cut_loop(p, "i", "Cfg.n")

# case: The bound is as before when the loop has ended, but not at the cut.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 7
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        Cfg.n = i + 1
p = cut_loop(p, "i", 3)

# case: The cut is read from a field that another thread writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[2, 8]):
    Cfg.n = 2
    for k in par(0, 2):
        if k == 0:
            Cfg.n = 2
        for i in seq(0, 8):
            x[k, i] = 1.0
p = cut_loop(p, "i", "Cfg.n")

# case: The cut is a field that may not be set, though an assertion on arguments says all else.
# expect: refuse readable
@config
class Cfg:
    n: size
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
    if n == Cfg.n:
        x[0] = 2.0
p = cut_loop(p, "i", "n + Cfg.n - Cfg.n")

# case: The cut is a field on which an assertion decides.
# expect: accept
@config
class Cfg:
    n: size
@proc
def p(n: size, x: f32[n]):
    assert Cfg.n < n
    for i in seq(0, n):
        x[i] = 1.0
p = cut_loop(p, "i", "Cfg.n")

# case: The cut is not an index.
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = cut_loop(p, "i", "x[0]")

# case: The loop's own variable is not known before the loop.
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = cut_loop(p, "i", "i")
