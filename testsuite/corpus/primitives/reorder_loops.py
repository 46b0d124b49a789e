# case: Every iteration writes a cell of its own.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = 1.0
p = reorder_loops(p, "i j")

# case: Reductions into one cell commute.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m], acc: f32):
    for i in seq(0, n):
        for j in seq(0, m):
            acc += x[i, j]
p = reorder_loops(p, "i j")

# case: An assertion keeps rows of a flat buffer apart.
# expect: accept
@proc
def p(n: size, m: size, x: f32[4 * n], y: f32[n]):
    assert m <= 4
    for i in seq(0, n):
        for j in seq(0, m):
            x[4 * i + j] = y[i]
p = reorder_loops(p, "i j")

# case: An outer loop of one iteration changes no order, whatever the body does.
# exo-refuses
# expect: accept
@proc
def p(m: size, x: f32, y: f32[m]):
    for i in seq(0, 1):
        for j in seq(0, m):
            x = y[j]
p = reorder_loops(p, "i j")

# case: A guard around the loops leaves no two iterations that meet.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n + 4], y: f32[n]):
    if n < 2:
        for i in seq(0, n):
            for j in seq(0, 4):
                x[i + j] = y[i]
p = reorder_loops(p, "i j")

# case: Bounds may be negative.
# expect: accept
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(-n, 0):
        for j in seq(-2, 2):
            x[i + n, j + 2] = 1.0
p = reorder_loops(p, "i j")

# case: Windows of one buffer that show different columns do not meet.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m, 2], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, m):
            w = x[i, j, :]
            w[1] = y[i]
p = reorder_loops(p, "i j")

# case: A buffer of the body is another one in every iteration.
# family: 10
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            t: f32
            t = x[i, j]
            x[i, j] = t * t
p = reorder_loops(p, "i j")

# case: A parallel loop goes inside as it is.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n], y: f32[m]):
    for i in par(0, n):
        for j in seq(0, m):
            x[i] += y[j]
p = reorder_loops(p, "i j")

# case: A parallel loop comes outside where all its iterations are apart.
# expect: accept
@proc
def p(n: size, m: size, x: f32[m], y: f32[n]):
    for i in seq(0, n):
        for j in par(0, m):
            x[j] += y[i]
p = reorder_loops(p, "i j")

# case: A field that the body reads and nothing writes.
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            if Cfg.k == i:
                x[i, j] = 0.0
            else:
                x[i, j] += 1.0
p = reorder_loops(p, "i j")

# case: The inner loop is not all there is.
# expect: refuse nested
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0
        for j in seq(0, m):
            x[i] += 1.0
p = reorder_loops(p, "for i in _: _")

# case: The inner loop ends at the outer variable.
# expect: refuse bounds
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i):
            x[i, j] = 1.0
p = reorder_loops(p, "i j")

# case: The first iteration of all changes the field that ends the inner loop.
# family: 2
# expect: refuse bounds
# breaks: bounds
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        for j in seq(0, Cfg.n):
            if i == 0 and j == 0:
                Cfg.n = 3
            x[i] += 1.0
p = reorder_loops(p, "i j")

# case: Iterations on a diagonal write the same cell.
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def p(n: size, m: size, x: f32[n + m], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i + j] = y[i]
p = reorder_loops(p, "i j")

# case: An iteration reads what one on the other side of the diagonal writes.
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def p(n: size, x: f32[n + 1, n + 1]):
    for i in seq(0, n):
        for j in seq(0, n):
            x[i + 1, j] = x[i, j + 1]
p = reorder_loops(p, "i j")

# case: Two windows show the same cell.
# family: 8
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def p(n: size, x: f32[n + 3], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, 3):
            w = x[i:i + 3]
            v = w[j:3]
            v[0] = y[i]
p = reorder_loops(p, "i j")

# case: A callee reads what it wrote for another iteration.
# family: 9
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def next(d: [f32][2], s: f32):
    d[1] = d[0] + s
@proc
def p(n: size, x: f32[n + 3], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, 2):
            next(x[i + j:i + j + 2], y[i])
p = reorder_loops(p, "i j")

# case: A field that is off at the start is set on the way.
# expect: refuse bodies_commute
# breaks: bodies_commute
@config
class Cfg:
    on: bool
@proc
def p(x: f32, y: f32[3, 3]):
    Cfg.on = False
    for i in seq(0, 3):
        for j in seq(0, 3):
            if Cfg.on:
                x += y[i, j]
            if i == 1 and j == 0:
                Cfg.on = True
p = reorder_loops(p, "i j")

# case: Threads of the loop that comes outside would add to one cell at once.
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def p(n: size, m: size, x: f32[n + m]):
    for i in seq(0, n):
        for j in par(0, m):
            x[i + j] += 1.0
p = reorder_loops(p, "i j")

# case: Threads that never came to the inner loop would read its bound while another one writes it.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    for k in par(0, 4):
        if k == 0:
            Cfg.n = 3
        for i in seq(k, 1):
            for j in seq(0, Cfg.n):
                x[k] += 1.0
p = reorder_loops(p, "i j")

# case: No loop has this variable.
# expect: invalid
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = reorder_loops(p, "i j")

# case: Iterations on a diagonal write one value.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[n + m], y: f32[n + m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i + j] = y[i + j] * 2.0
p = reorder_loops(p, "i j")

# case: A cell that all iterations set, in a guard.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[4]):
    for i in seq(0, n):
        for j in seq(0, m):
            if i + j > 2:
                x[0] = 0.0
p = reorder_loops(p, "i j")

# case: A value that depends on the iteration.
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def p(n: size, m: size, x: f32[n + m], y: f32[n + m + 1]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i + j] = y[j + 1]
p = reorder_loops(p, "i j")

# case: One value, which an earlier iteration has changed.
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def p(x: f32[4], y: f32[4]):
    for i in seq(0, 2):
        for j in seq(0, 2):
            x[i + j] = y[i + j]
            y[i + j] = y[j] + 1.0
p = reorder_loops(p, "i j")

# case: Every iteration sets a data field, in a loop that is not empty.
# exo-refuses
# expect: accept
@config
class Cfg:
    scale: f32
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            for k in seq(0, 4):
                Cfg.scale = x[i, j]
p = reorder_loops(p, "i j")

# case: Some iterations set a data field, in a loop that may be empty.
# expect: refuse bodies_commute
# breaks: bodies_commute
@config
class Cfg:
    scale: f32
@proc
def p(x: f32[3, 3], z: f32):
    for i in seq(0, 3):
        for j in seq(0, 3):
            for k in seq(0, 3 - i - j):
                Cfg.scale = x[i, j]
    z = Cfg.scale
p = reorder_loops(p, "i j")
