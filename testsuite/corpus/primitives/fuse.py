# case: Loops over two buffers.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
    for j in seq(0, n):
        y[j] = 2.0
p = fuse(p, "i", "j")

# case: The second loop reads what the first wrote in the same and in earlier iterations.
# expect: accept
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):
        x[i + 1] = 1.0
    for i in seq(0, n):
        y[i] = x[i] + x[i + 1]
p = fuse(p, "i", "i #1")

# case: Bounds that are equal by an assertion.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[n], y: f32[m]):
    assert n == m
    for i in seq(0, n):
        x[i] = 1.0
    for i in seq(0, m):
        y[i] = 2.0
p = fuse(p, "i", "i #1")

# case: Lower bounds that are not 0, written differently.
# expect: accept
@proc
def p(n: size, x: f32[n + 4], y: f32[n + 4]):
    for i in seq(n - 1, n + 2):
        x[i] = 1.0
    for i in seq(n - 2 + 1, 2 + n):
        y[i] = x[i]
p = fuse(p, "i", "i #1")

# case: Both loops add to one cell.
# expect: accept
@proc
def p(n: size, x: f32[n], acc: f32):
    for i in seq(0, n):
        acc += x[i]
    for i in seq(0, n):
        acc += 1.0
p = fuse(p, "i", "i #1")

# case: A single iteration crosses nothing.
# exo-refuses
# expect: accept
@proc
def p(x: f32[4], acc: f32):
    for i in seq(0, 1):
        acc = x[i]
    for i in seq(0, 1):
        x[0] = acc
        acc = 0.0
p = fuse(p, "i", "i #1")

# case: The first loop sets the field of the second one's bound to what the first one's is.
# exo-refuses
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        x[i] = 1.0
        Cfg.n = 8
    for i in seq(0, Cfg.n):
        y[i] = 2.0
p = fuse(p, "i", "i #1")

# case: Buffers of the same name in both bodies.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        t: f32
        t = x[i]
        x[i] = t * t
    for i in seq(0, n):
        t: f32
        t = y[i]
        y[i] = t * t
p = fuse(p, "i", "i #1")

# case: Parallel loops whose iterations are all apart.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
    for i in par(0, n):
        y[i] = x[i]
p = fuse(p, "i", "i #1")

# case: A sequential loop takes in a parallel one, and stays sequential.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n], acc: f32):
    for i in seq(0, n):
        acc += 1.0
    for i in par(0, n):
        x[i] = 1.0
p = fuse(p, "i", "i #1")

# case: A parallel loop takes in a sequential one whose iterations are apart.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
    for i in seq(0, n):
        y[i] = x[i]
p = fuse(p, "i", "i #1")

# case: Guards with the same condition, and an `else` in one.
# expect: accept
@proc
def p(n: size, x: f32, y: f32):
    if n > 3:
        x = 1.0
    if n > 3:
        y = x
    else:
        y = 2.0
p = fuse(p, "if _: _", "if _: _ #1")

# case: Conditions written differently.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32, y: f32):
    if n > 3:
        x = 1.0
    else:
        x = 3.0
    if not n < 4:
        y = x
p = fuse(p, "if _: _", "if _: _ #1")

# case: The second condition asks for what the first guard has noted.
# exo-refuses
# expect: accept
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32, y: f32):
    if n > 3:
        Cfg.on = True
        x = 1.0
    else:
        Cfg.on = False
    if Cfg.on:
        y = x
p = fuse(p, "if _: _", "if _: _ #1")

# case: The second loop begins later.
# family: 12
# expect: refuse bounds
# breaks: bounds
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
    for i in seq(1, n):
        y[i] = 2.0
p = fuse(p, "i", "i #1")

# case: The second loop ends later.
# expect: refuse bounds
# breaks: bounds
@proc
def p(n: size, x: f32[n], y: f32[n + 1]):
    for i in seq(0, n):
        x[i] = 1.0
    for i in seq(0, n + 1):
        y[i] = 2.0
p = fuse(p, "i", "i #1")

# case: The first loop lowers the bound of both.
# family: 4
# expect: refuse bounds
# breaks: bounds
@config
class Cfg:
    n: index
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.n = 8
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        if i == 7:
            Cfg.n = 3
    for i in seq(0, Cfg.n):
        y[i] = 2.0
p = fuse(p, "i", "i #1")

# case: The first guard changes the condition of both.
# expect: refuse bounds
# breaks: bounds
@config
class Cfg:
    on: bool
@proc
def p(x: f32, y: f32):
    if Cfg.on:
        x = 1.0
        Cfg.on = False
    if Cfg.on:
        y = 2.0
p = fuse(p, "if _: _", "if _: _ #1")

# case: The conditions differ for one value.
# expect: refuse bounds
# breaks: bounds
@proc
def p(n: size, x: f32, y: f32):
    if n > 3:
        x = 1.0
    if n > 2:
        y = 2.0
p = fuse(p, "if _: _", "if _: _ #1")

# case: The second loop reads ahead of the first.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
    for i in seq(0, n):
        y[i] = x[i + 1]
p = fuse(p, "i", "i #1")

# case: The first loop reads what an earlier iteration of the second would have written.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n + 1]):
    for i in seq(0, n):
        y[i] = x[i]
    for i in seq(0, n):
        x[i + 1] = y[i]
p = fuse(p, "i", "i #1")

# case: The second loop reads the sum that the first has made.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n], y: f32[n], acc: f32):
    for i in seq(0, n):
        acc += x[i]
    for i in seq(0, n):
        y[i] = acc
p = fuse(p, "i", "i #1")

# case: A window of the second loop shows what the first writes.
# family: 8
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):
        x[i + 1] = 2.0
    for i in seq(0, n):
        w = x[i:n + 1]
        y[i] = w[n - i]
p = fuse(p, "i", "i #1")

# case: The second loop's mode is on only after all of the first.
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    on: bool
@proc
def p(n: size, y: f32[n]):
    Cfg.on = False
    for i in seq(0, n):
        if i == n - 1:
            Cfg.on = True
    for i in seq(0, n):
        if Cfg.on:
            y[i] = 1.0
p = fuse(p, "i", "i #1")

# case: Threads of the fused loop would read what others write.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in par(0, n):
        x[i + 1] = 1.0
    for i in par(0, n):
        y[i] = x[i]
p = fuse(p, "i", "i #1")

# case: A parallel loop cannot take in one that sums.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n], acc: f32):
    for i in par(0, n):
        x[i] = 1.0
    for i in seq(0, n):
        acc += x[i]
p = fuse(p, "i", "i #1")

# case: Something stands between the loops.
# expect: refuse adjacent
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
    x[0] = 2.0
    for i in seq(0, n):
        y[i] = x[i]
p = fuse(p, "i", "i #1")

# case: A loop and a guard.
# expect: refuse same_sort
@proc
def p(n: size, x: f32[n], y: f32):
    for i in seq(0, n):
        x[i] = 1.0
    if n > 3:
        y = 2.0
p = fuse(p, "i", "if _: _")

# case: The first loop computes some cells again, each time with the value that they have.
# expect: accept
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            t[i + k] = x[i + k] * 2.0
    for i in seq(0, n):
        y[i] = t[i] + t[i + 1] + t[i + 2]
p = fuse(p, "i #0", "i #1")

# case: Pieces of a producer that overlap, each fused with the piece of the consumer that needs it.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    assert n % 4 == 0
    t: f32[n + 1]
    for i in seq(0, n + 1):
        t[i] = x[i]
    for io in seq(0, n / 4):
        for ii in seq(0, 4):
            y[4 * io + ii] = t[4 * io + ii] + t[4 * io + ii + 1]
p = divide_with_recompute(p, "i", "n / 4", 4, ["io", "ii"])
p = simplify(p)
p = fuse(p, "io #0", "io #1")

# case: The first loop computes some cells again, with another value.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            t[i + k] = x[i]
    for i in seq(0, n):
        y[i] = t[i] + t[i + 1] + t[i + 2]
p = fuse(p, "i #0", "i #1")

# case: The first loop computes cells again, and the second reads one that only a later iteration computes.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 3], y: f32[n]):
    t: f32[n + 3]
    for i in seq(0, n + 3):
        t[i] = 0.0
    for i in seq(0, n):
        for k in seq(0, 3):
            t[i + k] = x[i + k]
    for i in seq(0, n):
        y[i] = t[i + 3]
p = fuse(p, "i #1", "i #2")

# case: The first loop computes cells again, from a buffer that the second one changes.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            t[i + k] = x[i + k]
    for i in seq(0, n):
        y[i] = t[i + 1]
        x[i + 2] = 0.0
p = fuse(p, "i #0", "i #1")

# case: The first loop adds to some cells again.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n + 2):
        t[i] = 0.0
    for i in seq(0, n):
        for k in seq(0, 3):
            t[i + k] += x[i + k]
    for i in seq(0, n):
        y[i] = t[i + 1]
p = fuse(p, "i #1", "i #2")

# case: The first loop computes cells again, under a guard that the iteration which is fused may not pass.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, m: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n + 2):
        t[i] = 0.0
    for i in seq(0, n):
        for k in seq(0, 3):
            if i > 2:
                t[i + k] = x[i + k]
    for i in seq(0, n):
        y[i] = t[i + 1]
p = fuse(p, "i #1", "i #2")

# case: The first loop computes cells again, by way of a scalar that each iteration has for itself.
# expect: accept
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            s: f32
            s = x[i + k]
            t[i + k] = s
    for i in seq(0, n):
        y[i] = t[i + 1]
p = fuse(p, "i #0", "i #1")

# case: The first loop computes cells again, by way of a sum that is complete.
# expect: accept
@proc
def p(n: size, x: ui16[n + 4], y: ui16[n]):
    t: ui16[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            s: ui16
            s = x[i + k]
            s += x[i + k + 1]
            t[i + k] = s / 3.0
    for i in seq(0, n):
        y[i] = t[i] + t[i + 1] + t[i + 2]
p = fuse(p, "i #0", "i #1")

# case: The first loop computes cells again, by way of a sum that goes on from cell to cell.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        s: f32
        s = 0.0
        for k in seq(0, 3):
            t[i + k] = s
            s += x[i + k]
    for i in seq(0, n):
        y[i] = t[i + 1]
p = fuse(p, "i #0", "i #1")

# case: The first loop computes cells again, by way of a scalar that some iterations set to something else.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            s: f32
            s = x[i + k]
            if i < 2:
                s = 0.0
            t[i + k] = s
    for i in seq(0, n):
        y[i] = t[i + 1]
p = fuse(p, "i #0", "i #1")

# case: The first loop computes cells again, by way of a scalar that a procedure sets.
# expect: refuse commute
# breaks: commute
@proc
def set(k: index, s: f32):
    assert k >= 0 and k <= 2
    if k == 0:
        s = 1.0

@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            s: f32
            s = x[i + k]
            set(k, s)
            t[i + k] = s
    for i in seq(0, n):
        y[i] = t[i + 1]
p = fuse(p, "i #0", "i #1")

# case: The first loop computes cells again, by way of a scalar with another cell in each iteration.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):
        for k in seq(0, 3):
            s: f32
            s = x[i]
            t[i + k] = s
    for i in seq(0, n):
        y[i] = t[i + 1]
p = fuse(p, "i #0", "i #1")
