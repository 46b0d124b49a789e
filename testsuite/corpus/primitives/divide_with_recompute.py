# case: Two overlapping pieces.
# expect: accept
@proc
def p(x: f32[10], y: f32[10]):
    for i in seq(0, 10):
        x[i] = y[i]
p = divide_with_recompute(p, "i", "2", 4, ["io", "ii"])

# case: A blur computes two rows of its neighbour's again.
# expect: accept
@proc
def p(n: size, x: f32[8 * n + 2], y: f32[8 * n + 2]):
    for i in seq(0, 8 * n + 2):
        x[i] = y[i]
p = divide_with_recompute(p, "i", "n", 8, ["io", "ii"])

# case: Pieces that do not overlap are those of `divide_loop`.
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 2.0
p = divide_with_recompute(p, "i", "2", 4, ["io", "ii"])

# case: One piece is the whole loop.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0
p = divide_with_recompute(p, "i", 1, 1, ["io", "ii"])

# case: A loop that never runs needs no piece.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, 1 - n):
        x[i] = 2.0
p = divide_with_recompute(p, "i", "1 - n", 1, ["io", "ii"])

# case: A body that clears its cell before it adds to it may run again.
# expect: accept
@proc
def p(n: size, x: f32[n + 4], y: f32[n + 4]):
    for i in seq(0, n + 4):
        t: f32
        t = y[i]
        x[i] = 0.0
        for k in seq(0, 3):
            x[i] += t
p = divide_with_recompute(p, "i", "n", 1, ["io", "ii"])

# case: Iterations that read one another's neighbours in another buffer stay apart.
# expect: accept
@proc
def p(x: f32[6], y: f32[7]):
    for i in seq(0, 6):
        w = y[i:i + 2]
        x[i] = w[0] + w[1]
p = divide_with_recompute(p, "i", "5", 1, ["io", "ii"])

# case: Pieces that do not overlap may do anything.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[4 * n], acc: f32):
    for i in seq(0, 4 * n):
        acc += x[i]
        x[i] = acc
p = divide_with_recompute(p, "i", "n", 4, ["io", "ii"])

# case: The loop starts at 1.
# family: 12
# expect: refuse lower_bound
# breaks: lower_bound
@proc
def p(x: f32[9]):
    for i in seq(1, 9):
        x[i] = 2.0
p = divide_with_recompute(p, "i", "2", 4, ["io", "ii"])

# case: The last piece would begin after the end.
# family: 12
# expect: refuse covered
# breaks: covered
@proc
def p(x: f32[10]):
    for i in seq(0, 10):
        x[i] = 2.0
p = divide_with_recompute(p, "i", "3", 6, ["io", "ii"])

# case: There would be no piece.
# expect: refuse covered
# breaks: covered
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0
p = divide_with_recompute(p, "i", "n - n", 4, ["io", "ii"])

# case: The loop changes its own bound.
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 7
    for i in seq(0, Cfg.n):
        x[i] = 2.0
        if i == 0:
            Cfg.n = 4
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: A piece adds to a cell once more.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] += 1.0
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: A piece reads what a later iteration of the one before has cleared.
# family: 12
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32[8], y: f32[8]):
    for i in seq(0, 7):
        y[i] = x[i + 1]
        x[i] = 0.0
p = divide_with_recompute(p, "i", "2", 2, ["io", "ii"])

# case: A piece reads, through a window, what a later iteration of the one before has written.
# family: 8
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32[9], y: f32[8]):
    for i in seq(0, 7):
        w = x[i:i + 2]
        y[i] = w[1]
        w[0] = 0.0
p = divide_with_recompute(p, "i", "2", 2, ["io", "ii"])

# case: A piece runs in the mode that a later iteration of the one before has set.
# expect: refuse apart
# breaks: apart
@config
class Cfg:
    on: bool
@proc
def p(x: f32[8]):
    Cfg.on = False
    for i in seq(0, 7):
        if i < 3:
            if Cfg.on:
                x[i] = 1.0
        if i > 3:
            Cfg.on = True
p = divide_with_recompute(p, "i", "2", 2, ["io", "ii"])

# case: A recurrence may run again from the middle, since no iteration changes what an earlier one reads.
# exo-refuses
# expect: accept
@proc
def p(x: f32[9], y: f32[8]):
    for i in seq(0, 8):
        x[i + 1] = x[i] * y[i]
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: A buffer outside that every iteration fills before it reads it.
# exo-refuses
# expect: accept
@proc
def p(x: f32[9], y: f32[8]):
    t: f32
    for i in seq(0, 8):
        t = y[i]
        x[i + 1] = t * t
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: What the first iterations leave is written over by the last ones, again.
# exo-refuses
# expect: accept
@proc
def p(x: f32[9], y: f32[8]):
    for i in seq(0, 8):
        x[i] = y[i]
        x[i + 1] = 0.0
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: An iteration that two pieces share runs twice in a row, and need not stay apart from later ones.
# expect: accept
@proc
def p(x: f32[8], y: f32[8]):
    for i in seq(0, 7):
        y[i] = x[i + 1]
        x[i] = 0.0
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: Pieces of any number that share one iteration each.
# expect: accept
@proc
def p(n: size, x: f32[4 * n + 2], y: f32[4 * n + 2]):
    for i in seq(0, 4 * n + 1):
        y[i] = x[i + 1]
        x[i] = 0.0
p = divide_with_recompute(p, "i", "n", 4, ["io", "ii"])

# case: Of two shared iterations the first runs again after the second, which it reads.
# expect: refuse apart
# breaks: apart
@proc
def p(x: f32[9], y: f32[9]):
    for i in seq(0, 8):
        y[i] = x[i + 1]
        x[i] = 0.0
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: A shared iteration that adds runs twice.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(x: f32[7]):
    for i in seq(0, 7):
        x[i] += 1.0
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: Threads of the new outer loop would compute the same cell at once.
# expect: refuse sequential
# breaks: sequential
@proc
def p(x: f32[8]):
    for i in par(0, 8):
        x[i] = 1.0
p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])

# case: The number of pieces is read from a field that another thread writes.
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
p = divide_with_recompute(p, "i", "Cfg.n", 3, ["io", "ii"])

# case: Pieces begin at least 1 apart.
# expect: argument
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 1.0
p = divide_with_recompute(p, "i", "2", 0, ["io", "ii"])

# case: The number of pieces names nothing in scope.
# expect: argument
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 1.0
p = divide_with_recompute(p, "i", "m", 3, ["io", "ii"])
