# proved: each iteration has a cell of its own
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # here
        x[i] = 2.0 * x[i] + y[i]

# proved: sums commute
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        s += x[i]

# proved: each iteration writes the same value to one cell
@proc
def p(n: size, x: f32[1], y: f32[1]):
    for i in seq(0, n):  # here
        x[0] = y[0]

# proved: each iteration leaves a field at the same value
@config
class Cfg:
    k: index

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        Cfg.k = 3
        x[i] = 1.0

# proved: rows below the diagonal
@proc
def p(n: size, x: f32[n, n], y: f32[n]):
    for i in seq(1, n):  # here
        for j in seq(0, i):
            x[i, j] += y[j]

# proved: what is read is changed after the loop
@proc
def p(n: size, x: f32[n], y: f32[2 * n]):
    for i in seq(0, n):  # here
        x[i] = y[2 * i]
    for i in seq(0, 2 * n):
        y[i] = 0.0

# proved: one iteration, whatever it does
@proc
def p(k: index, x: f32[1]):
    for i in seq(k, k + 1):  # here
        x[0] = x[0] * 2.0

# refuted: a cell is read by the next iteration
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):  # here
        x[i + 1] = x[i] + 1.0

# refuted: the last value of a cell is another one
@proc
def p(n: size, x: f32[1], y: f32[n]):
    for i in seq(0, n):  # here
        x[0] = y[i]

# refuted: the last value of a field is another one
@config
class Cfg:
    k: index

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        Cfg.k = i
        x[i] = 1.0

# refuted: the last value of a data field is another one
@config
class Cfg:
    a: f32

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        Cfg.a = x[i]

# refuted: a field is read before it is written
@config
class Cfg:
    k: index

@proc
def p(x: f32[8]):
    Cfg.k = 1
    for i in seq(0, 4):  # here
        if Cfg.k == 1:
            x[i] = 1.0
        Cfg.k = 0

# refuted: a cell is assigned, and then added to by another iteration
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):  # here
        x[i] += 1.0
        x[i + 1] = 2.0

# refuted: two windows of one buffer
@proc
def p(x: f32[9]):
    v = x[0:8]
    w = x[1:9]
    for i in seq(0, 8):  # here
        w[i] = v[i]

# refuted: the sum is read on the way
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        s += x[i]
        x[i] = s
