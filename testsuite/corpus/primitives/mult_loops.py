# case: Rows and columns become one range.
# expect: accept
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: The order stays the same, so the body may do anything.
# expect: accept
@proc
def p(n: size, x: f32[n, 4], acc: f32):
    for i in seq(0, n):
        for j in seq(0, 4):
            acc = acc * x[i, j] + 1.0
p = mult_loops(p, "i j", "k")

# case: An outer loop with a negative bound never runs.
# expect: accept
@proc
def p(n: size, x: f32[4, 4]):
    for i in seq(0, 3 - n):
        for j in seq(0, 4):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: An inner loop of one iteration.
# expect: accept
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        for j in seq(0, 1):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "i")

# case: An inner bound that is a literal after folding.
# expect: accept
@proc
def p(n: size, x: f32[n, 6]):
    for i in seq(0, n):
        for j in seq(0, 2 * 2 + 2):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: Two parallel loops become one, whose iterations are apart since those of both were.
# expect: accept
@proc
def p(n: size, x: f32[n, 4]):
    for i in par(0, n):
        for j in par(0, 4):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: A parallel loop in a sequential one becomes sequential.
# expect: accept
@proc
def p(n: size, x: f32[4], y: f32[n]):
    for i in seq(0, n):
        for j in par(0, 4):
            x[j] += y[i]
p = mult_loops(p, "i j", "k")

# case: The variables stand in windows, bounds and extents of the body.
# family: 6
# expect: accept
@proc
def p(n: size, x: f32[n, 8]):
    for i in seq(0, n):
        for j in seq(0, 2):
            w = x[i, 4 * j:4 * j + 4]
            t: f32[j + 1]
            for l in seq(0, j + 1):
                t[l] = w[l]
                w[l + 1] = t[l]
p = mult_loops(p, "i j", "k")

# case: An inner loop that starts at a field which is 0.
# exo-refuses
# expect: accept
@config
class Cfg:
    z: index
@proc
def p(n: size, x: f32[n, 4]):
    Cfg.z = 0
    for i in seq(0, n):
        for j in seq(Cfg.z, 4):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: The inner loop is not all there is.
# expect: refuse nested
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[i, j] = 1.0
        x[i, 0] = 2.0
p = mult_loops(p, "for i in _: _", "k")

# case: There is no inner loop.
# expect: refuse nested
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = mult_loops(p, "for i in _: _", "k")

# case: The outer loop starts at 1.
# family: 12
# exo-refuses
# expect: accept
# breaks: zero_based
@proc
def p(x: f32[4, 4]):
    for i in seq(1, 3):
        for j in seq(0, 4):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: The inner loop starts at 1.
# family: 12
# exo-refuses
# expect: accept
# breaks: zero_based
@proc
def p(x: f32[4, 4]):
    for i in seq(0, 3):
        for j in seq(1, 4):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: The inner loop starts at a field that the body moves.
# expect: refuse constant
@config
class Cfg:
    z: index
@proc
def p(n: size, x: f32[n, 4]):
    Cfg.z = 0
    for i in seq(0, n):
        for j in seq(Cfg.z, 4):
            x[i, j] = 1.0
            Cfg.z = 2
p = mult_loops(p, "i j", "k")

# case: The length of the inner loop is an argument.
# expect: refuse constant
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: The inner loop never runs, and nothing divides by 0.
# expect: refuse constant
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        for j in seq(0, 0):
            x[i, j] = 1.0
p = mult_loops(p, "i j", "k")

# case: A sequential loop in a parallel one has iterations that are not apart.
# expect: refuse inner_parallel
# breaks: inner_parallel
@proc
def p(n: size, x: f32[n], y: f32[4]):
    for i in par(0, n):
        for j in seq(0, 4):
            x[i] += y[j]
p = mult_loops(p, "i j", "k")

# case: Both loops start at arguments.
# family: 12
# exo-refuses
# expect: accept
@proc
def p(n: size, k: index, x: f32[n, n + 3]):
    assert k >= 0 and k < n
    for i in seq(k, n):
        for j in seq(k, k + 3):
            x[i, j] += 1.0
p = mult_loops(p, "i j", "k")

# case: The inner loop starts at the outer variable.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n + 5]):
    for i in seq(2, n + 2):
        for j in seq(i, i + 3):
            x[j] += 1.0
p = mult_loops(p, "i j", "k")

# case: The body moves the field where the outer loop starts.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    assert Cfg.n >= 0 and Cfg.n <= 1
    for i in seq(Cfg.n, 2):
        for j in seq(0, 2):
            x[i] = 1.0
            Cfg.n = 4
p = mult_loops(p, "i j", "k")

# case: The body moves the field where the inner loop starts.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    assert Cfg.n >= 0 and Cfg.n <= 1
    for i in seq(0, 1):
        for j in seq(Cfg.n, Cfg.n + 2):
            x[j] = 1.0
            Cfg.n = 4
p = mult_loops(p, "i j", "k")

# case: Every thread would ask where the loop starts, which one of them writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 1
    for i in par(Cfg.n, 8):
        for j in par(0, 1):
            x[i] = 1.0
            if i == 1:
                Cfg.n = 1
p = mult_loops(p, "i j", "k")

# case: The length of the inner loop changes with the outer variable.
# expect: refuse constant
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):
        for j in seq(i, 2 * i):
            x[j] = 1.0
p = mult_loops(p, "i j", "k")
