# case: The first part need not be repeated, and loses its loop.
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x = 1.0
        y[i] = x
p = autofission(p, "x = _")

# case: The second part need not be repeated.
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        y[i] = 2.0
        x = 1.0
p = autofission(p, "y[_] = _")

# case: Neither part need be repeated.
# expect: accept
@proc
def p(n: size, x: f32, y: f32):
    for i in seq(0, n):
        x = 1.0
        y = 2.0
p = autofission(p, "x = _")

# case: Both parts are loops still.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = x[i]
p = autofission(p, "x[_] = _")

# case: A loop that may not run keeps its parts in loops.
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n - 1):
        x = 1.0
        y[i] = x
p = autofission(p, "x = _")

# case: A part that adds to a cell keeps its loop.
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x += 1.0
        y[i] = 2.0
p = autofission(p, "x += _")

# case: A first part of several statements moves out of two loops.
# expect: accept
@proc
def p(n: size, m: size, x: f32, z: f32, y: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x = 1.0
            z = 2.0
            y[i, j] = x + z
p = autofission(p, "z = _", n_lifts=2)

# case: The inner loop stays with the first part, and the outer one goes.
# expect: accept
@proc
def p(n: size, m: size, x: f32[m], y: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[j] = 1.0
            y[i, j] = x[j]
p = autofission(p, "x[_] = _", n_lifts=2)

# case: Out of a guard and out of the loop around it.
# expect: accept
@proc
def p(n: size, m: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        if m > 2:
            x = 1.0
            y[i] = x
p = autofission(p, "x = _", n_lifts=2)

# case: Each iteration clears a cell, sums into it and stores it.
# family: 5
# expect: refuse commute
@proc
def p(n: size, x: f32[n, 4], y: f32[n], s: f32):
    for i in seq(0, n):
        s = 0.0
        for j in seq(0, 4):
            s += x[i, j]
        y[i] = s
p = autofission(p, "s = _")

# case: The bound is lowered in the first part.
# family: 11
# expect: refuse bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, Cfg.n):
        Cfg.n = 3
        x[i] = 1.0
p = autofission(p, "Cfg.n = 3")

# case: A buffer is defined before the gap and used after it.
# family: 11
# expect: refuse scope
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = 1.0
        x[i] = t
p = autofission(p, "t = _")

# case: The gap is at the end of the body.
# expect: refuse inside
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = autofission(p, "x[_] = _")

# case: After the first part has lost its loop there is none left to split.
# expect: refuse inside
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x = 1.0
        y[i] = x
p = autofission(p, "x = _", n_lifts=2)

# case: Out of the inner loop it may go, but not out of the outer one, too.
# expect: refuse commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n, 8]):
    for i in seq(0, n):
        for j in seq(0, 8):
            x[i] += 1.0
            y[i, j] = x[i + 1]
p = autofission(p, "x[_] += _", n_lifts=2)

# case: The guard has an `else`.
# expect: accept
@proc
def p(n: size, x: f32, y: f32):
    if n > 2:
        x = 1.0
        y = 2.0
    else:
        y = 3.0
p = autofission(p, "x = _")

# case: Nothing is lifted 0 times.
# expect: argument
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = 2.0
p = autofission(p, "x[_] = _", n_lifts=0)

# case: Nothing writes `z`.
# expect: invalid
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = 2.0
p = autofission(p, "z[_] = _")

# case: The first part changes the condition of a guard that has an `else`.
# family: 2
# expect: refuse bounds_stable
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32, y: f32):
    if Cfg.on:
        Cfg.on = False
        y = 2.0
    else:
        y = 3.0
p = autofission(p, "Cfg.on = _")
