@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# refuted: [E-9] iterations do not meet in the state before the loop
@proc
def p(n: size, x: f32, y: f32[n, n]):
    Cfg.a = 0
    for i in seq(0, n):  # here
        for j in seq(0, n):
            if Cfg.a == 1:
                x = 2.0 * x + y[i, j]
            if i == 0:
                if j == 0:
                    Cfg.a = 1

# refuted (loop.bounds): [E-16] a triangle, though its iterations commute
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, i + 1):
            x[i, j] = 0.0

# proved: [E-30] the inner bound is the same in every order
@proc
def p(n: size, x: f32[n, 4]):
    Cfg.n = 4
    for i in seq(0, n):  # here
        for j in seq(0, Cfg.n):
            x[i, j] += 1.0
            if j < 0:
                Cfg.n = 2

# refuted (loop.bounds): [E-30] the bound depends on a flag that an iteration sets
@proc
def p(n: size, x: f32[n, 4]):
    Cfg.n = 4
    Cfg.flag = False
    for i in seq(0, n):  # here
        for j in seq(0, Cfg.n):
            x[i, j] += 1.0
            if Cfg.flag:
                Cfg.n = 2
            Cfg.flag = True

# proved: [E-31] every iteration sets the field that it reads to its own number
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            Cfg.a = n - 1 - j
            x[i, Cfg.a] = 1.0

# refuted: [E-31] the last iteration, which changes places with none, reads what the one before it has set
@proc
def p(n: size, m: size, x: f32[1]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if i == n - 1 and j == m - 1:
                if Cfg.a == n - 1:
                    x[0] = 1.0
            Cfg.a = i

# refuted: [E-31] the last iteration reads a number of the accelerator's
@proc
def p(n: size, m: size, x: f32[1], y: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if i == n - 1 and j == m - 1:
                x[0] = Cfg.scale
            Cfg.scale = y[i, j]

# proved: [E-31] a loop inside sets the field, if it runs at all
@proc
def p(n: size, m: size, l: index, x: f32[n, m]):
    assert l >= 0
    for i in seq(0, n):  # here
        for j in seq(0, m):
            for k in seq(0, l):
                Cfg.a = i
                Cfg.scale = 2.0
                x[i, j] += 1.0

# proved: [E-31] the first iterations set nothing, but the last one does
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            for k in seq(0, i):
                Cfg.a = i
                Cfg.scale = 2.0
                x[i, j] += 1.0

# proved: [E-31] all iterations set the field, in one branch or the other
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if i < j:
                Cfg.scale = 1.0
            else:
                Cfg.scale = 2.0
            x[i, j] = Cfg.scale

# refuted: [E-31] some iterations set a field to their own number
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            if i + j == 1:
                Cfg.a = i

# refuted: [E-31] every iteration sets a field to a number that depends on what it held
@proc
def p(n: size, x: f32[n, n]):
    Cfg.a = 0
    for i in seq(0, n):  # here
        for j in seq(0, n):
            Cfg.a = 2 * Cfg.a + i

# proved: [E-35] iterations that meet in a cell write one value
@proc
def p(n: size, m: size, x: f32[n + m], y: f32[n + m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i + j] = y[i + j]

# refuted: [E-35] iterations that meet in a cell write values of different cells
@proc
def p(n: size, m: size, x: f32[n + m], y: f32[n]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i + j] = y[i]
