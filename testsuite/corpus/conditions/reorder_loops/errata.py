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
