# case: Two halves of a range.
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[i] = 1.0
    for i in seq(4, 8):
        x[i] = 1.0
p = join_loops(p, "i", "i #1")

# case: Other names for the variables that the loops bind.
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        t: f32
        t = x[i]
        for a in seq(0, 2):
            x[i] += t
    for j in seq(4, 8):
        u: f32
        u = x[j]
        for b in seq(0, 2):
            x[j] += u
p = join_loops(p, "i", "j")

# case: A first loop that never runs, ending where it begins.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, 0):
        x[i] += 1.0
    for i in seq(0, n):
        x[i] += 1.0
p = join_loops(p, "i", "i #1")

# case: Both loops run backwards past each other and never run.
# exo-refuses
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(6, 4):
        x[i] += 1.0
    for i in seq(4, 2):
        x[i] += 1.0
p = join_loops(p, "i", "i #1")

# case: The bounds meet by an assertion.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, k: index, x: f32[n]):
    assert k == n - m
    assert m < n
    for i in seq(0, n - m):
        x[i] += 1.0
    for i in seq(k, n):
        x[i] += 1.0
p = join_loops(p, "i", "i #1")

# case: What an iteration leaves for the next goes on over the seam.
# expect: accept
@proc
def p(n: size, x: f32[n + 1], acc: f32):
    for i in seq(0, n):
        acc = acc * x[i]
    for i in seq(n, n + 1):
        acc = acc * x[i]
p = join_loops(p, "i", "i #1")

# case: The first loop sets the second one's bound to what it is.
# exo-refuses
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, 4):
        x[i] = 1.0
        Cfg.n = 8
    for i in seq(4, Cfg.n):
        x[i] = 1.0
        Cfg.n = 8
p = join_loops(p, "i", "i #1")

# case: Parallel loops whose iterations are all apart.
# expect: accept
@proc
def p(n: size, x: f32[2 * n]):
    for i in par(0, n):
        x[i] = 1.0
    for i in par(n, 2 * n):
        x[i] = 1.0
p = join_loops(p, "i", "i #1")

# case: Something stands between the loops.
# expect: refuse adjacent
@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[i] = 1.0
    x[7] = 2.0
    for i in seq(4, 8):
        x[i] = 1.0
p = join_loops(p, "i", "i #1")

# case: The second loop stands first.
# expect: refuse adjacent
@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[i] = 1.0
    for i in seq(4, 8):
        x[i] = 1.0
p = join_loops(p, "i #1", "i")

# case: The bodies write different values.
# family: 11
# expect: refuse same_body
# breaks: same_body
@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[i] = 1.0
    for i in seq(4, 8):
        x[i] = 2.0
p = join_loops(p, "i", "i #1")

# case: The bodies name the same variable, but not the same buffer.
# family: 10
# expect: refuse same_body
# breaks: same_body
@proc
def p(x: f32[8]):
    t: f32
    t = 1.0
    for i in seq(0, 4):
        x[i] = t
    t: f32
    t = 2.0
    for i in seq(4, 8):
        x[i] = t
p = reorder_stmts(p, "for i in _: _\nt: _")
p = reorder_stmts(p, "for i in _: _\nt = 2.0")
p = join_loops(p, "i", "i #1")

# case: A sequential loop takes in a parallel one.
# exo-refuses
# expect: accept
@proc
def p(x: f32):
    for i in seq(0, 4):
        x += 1.0
    for i in par(4, 5):
        x += 1.0
p = join_loops(p, "i", "i #1")

# case: A parallel loop takes in a sequential one whose iterations are apart.
# exo-refuses
# expect: accept
@proc
def p(x: f32[8]):
    for i in par(0, 4):
        x[i] = 1.0
    for i in seq(4, 8):
        x[i] = 1.0
p = join_loops(p, "i", "i #1")

# case: There is a hole between the ranges.
# expect: refuse meet
# breaks: meet
@proc
def p(x: f32[8]):
    for i in seq(0, 3):
        x[i] = 1.0
    for i in seq(4, 8):
        x[i] = 1.0
p = join_loops(p, "i", "i #1")

# case: The ranges overlap.
# expect: refuse meet
# breaks: meet
@proc
def p(x: f32[8]):
    for i in seq(0, 5):
        x[i] += 1.0
    for i in seq(4, 8):
        x[i] += 1.0
p = join_loops(p, "i", "i #1")

# case: The first loop runs backwards to where the second begins.
# expect: refuse meet
# breaks: meet
@proc
def p(x: f32[8]):
    for i in seq(4, 2):
        x[i] += 1.0
    for i in seq(2, 8):
        x[i] += 1.0
p = join_loops(p, "i", "i #1")

# case: The second loop ends before it begins.
# expect: refuse meet
# breaks: meet
@proc
def p(n: size, x: f32[8]):
    assert n <= 8
    for i in seq(0, 4):
        x[i] += 1.0
    for i in seq(4, n):
        x[i] += 1.0
p = join_loops(p, "i", "i #1")

# case: The first loop moves the end of the second.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, 4):
        x[i] += 1.0
        Cfg.n = 6
    for i in seq(4, Cfg.n):
        x[i] += 1.0
        Cfg.n = 6
p = join_loops(p, "i", "i #1")

# case: Threads of both loops add to one cell, each loop by one thread.
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32):
    for i in par(0, 1):
        x += 1.0
    for i in par(1, 2):
        x += 1.0
p = join_loops(p, "i", "i #1")
