# case: A scalar is set once as well as often.
# expect: accept
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        x = 1.0
p = remove_loop(p, "i")

# case: The body clears a cell before it sums into it.
# expect: accept
@proc
def p(n: size, x: f32, y: f32[4]):
    for i in seq(0, n):
        x = 0.0
        for k in seq(0, 4):
            x += y[k]
p = remove_loop(p, "i")

# case: An inner loop has a variable of the same name.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for i in seq(0, n):
            x[i] = 1.0
p = remove_loop(p, "i")

# case: A guard around the loop says that it runs.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32):
    if n > 1:
        for i in seq(0, n - 1):
            x = 1.0
p = remove_loop(p, "i")

# case: The loop runs because the one around it does.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(i, n):
            x[i] = 1.0
p = remove_loop(p, "j")

# case: A loop of exactly one iteration may do anything.
# exo-refuses
# expect: accept
@proc
def p(x: f32):
    for i in seq(0, 1):
        x += 1.0
p = remove_loop(p, "i")

# case: The body's buffers and windows move out with it.
# expect: accept
@proc
def p(n: size, x: f32[4], y: f32[4]):
    for i in seq(0, n):
        t: f32
        w = x[1:3]
        t = y[0]
        w[0] = t
    t: f32
    t = x[1]
    y[1] = t
p = remove_loop(p, "i")

# case: A field that the body sets and then reads.
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[4]):
    for i in seq(0, n):
        Cfg.k = 2
        if Cfg.k == 2:
            x[0] = 1.0
p = remove_loop(p, "i")

# case: A call that only writes.
# expect: accept
@proc
def clear(d: [f32][4]):
    for k in seq(0, 4):
        d[k] = 0.0
@proc
def p(n: size, x: f32[8]):
    for i in seq(0, n):
        clear(x[2:6])
p = remove_loop(p, "i")

# case: A parallel loop that is known to have one thread.
# expect: accept
@proc
def p(x: f32):
    for i in par(2, 3):
        x = 1.0
p = remove_loop(p, "i")

# case: The variable is an index of the body.
# expect: refuse independent
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = remove_loop(p, "i")

# case: The variable is hidden in an extent.
# family: 2 6
# expect: refuse independent
@proc
def p(n: size, x: f32):
    for i in seq(1, n):
        t: f32[i]
        x = 1.0
p = remove_loop(p, "i")

# case: The loop may not run.
# family: 12
# expect: accept
# breaks: runs
@proc
def p(n: size, x: f32):
    for i in seq(0, n - 1):
        x = 1.0
p = remove_loop(p, "i")

# case: The loop runs where an argument is negative, but not in general.
# family: 12
# expect: accept
# breaks: runs
@proc
def p(k: index, x: f32):
    for i in seq(k, 0):
        x = 1.0
p = remove_loop(p, "i")

# case: The body adds to a cell.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        x += 1.0
p = remove_loop(p, "i")

# case: The body reads a cell that it then writes.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(n: size, x: f32, y: f32):
    for i in seq(0, n):
        y = x
        x = 1.0
p = remove_loop(p, "i")

# case: The body shifts a buffer, read and written through windows.
# family: 8
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(n: size, x: f32[4]):
    a = x[0:3]
    b = x[1:4]
    for i in seq(0, n):
        for k in seq(0, 3):
            a[k] = b[k]
p = remove_loop(p, "i")

# case: The body toggles a mode.
# expect: refuse idempotent
# breaks: idempotent
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32):
    Cfg.on = True
    for i in seq(0, n):
        if Cfg.on:
            x = 1.0
        else:
            x = 2.0
        Cfg.on = False
p = remove_loop(p, "i")

# case: A cell is cleared under a guard only, and then added to.
# family: 5
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(n: size, k: index, x: f32):
    for i in seq(0, n):
        if k > 0:
            x = 0.0
        x += 1.0
p = remove_loop(p, "i")

# case: A callee adds to what it is given.
# family: 9
# expect: refuse idempotent
# breaks: idempotent
@proc
def bump(d: [f32][2]):
    d[0] += 1.0
@proc
def p(n: size, x: f32[4]):
    for i in seq(0, n):
        bump(x[1:3])
p = remove_loop(p, "i")

# case: the loop runs in the branch that says so, and not in its copy in the other branch
# family: 1
# expect: accept
# breaks: runs
@proc
def p(k: index, x: f32):
    for i in seq(0, k):
        x = 1.0
p = specialize(p, "i", "k > 0")
p = remove_loop(p, "i #1")

# case: A loop that may not run, with a buffer of its own and a statement after it.
# expect: accept
@proc
def p(n: size, k: index, x: f32[n], y: f32):
    for i in seq(k, n):
        t: f32
        t = x[0]
        y = t
    y += 1.0
p = remove_loop(p, "i")

# case: The body of a loop that may not run changes its own bound.
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32):
    for i in seq(0, Cfg.k):
        Cfg.k = 3
        x = 1.0
p = remove_loop(p, "i")

# case: A loop that may run twice adds to a cell.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(k: index, x: f32):
    for i in seq(0, k):
        x += 1.0
p = remove_loop(p, "i")
