@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

# proved: the body assigns a constant
@proc
def p(n: size, x: f32):
    for i in seq(0, n):  # here
        x = 1.0

# refuted (loop.runs): the loop may not run
@proc
def p(n: index, x: f32):
    for i in seq(0, n):  # here
        x = 1.0

# proved: a guard makes sure that it runs
@proc
def p(n: index, x: f32):
    if 0 < n:
        for i in seq(0, n):  # here
            x = 1.0

# refuted (loop.runs): the else branch of that guard
@proc
def p(n: index, x: f32):
    if 0 < n:
        pass
    else:
        for i in seq(0, n):  # here
            x = 1.0

# refuted: the body adds
@proc
def p(n: size, x: f32):
    for i in seq(0, n):  # here
        x += 1.0

# proved: one iteration may do anything
@proc
def p(x: f32, y: f32):
    for i in seq(0, 4):  # here
        y = x

# refuted (loop.variable): the variable is used
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        x[i] = 1.0

# refuted (loop.variable): the variable is used in a guard only
@proc
def p(n: size, x: f32):
    for i in seq(0, n):  # here
        if i < 3:
            x = 1.0

# proved: an inner loop uses a variable of the same name
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        for i in seq(0, n):
            x[i] = 1.0

# proved: sizes are at least 1, bounds shifted
@proc
def p(n: size, x: f32):
    for i in seq(5, n + 5):  # here
        x = 1.0

# refuted (loop.runs): the lower bound is above
@proc
def p(n: size, x: f32):
    for i in seq(5, n + 4):  # here
        x = 1.0

# refuted (loop.runs): small sizes have no tile
@proc
def p(n: size, x: f32):
    for i in seq(0, n / 8):  # here
        x = 1.0

# proved: sizes have a tile, rounded up
@proc
def p(n: size, x: f32):
    for i in seq(0, (n + 7) / 8):  # here
        x = 1.0

# proved: sizes asserted to divide have a tile
@proc
def p(n: size, x: f32):
    assert n % 8 == 0
    for i in seq(0, n / 8):  # here
        x = 1.0

# refuted: the body reads what it changes
@proc
def p(n: size, x: f32, y: f32):
    for i in seq(0, n):  # here
        x = y
        y = 2.0

# proved: the body reads what it has just written
@proc
def p(n: size, x: f32, y: f32):
    for i in seq(0, n):  # here
        x = 1.0
        y = x + 2.0

# proved: the body begins its sum
@proc
def p(n: size, m: size, x: f32[m], s: f32):
    for i in seq(0, n):  # here
        s = 0.0
        for j in seq(0, m):
            s += x[j]

# refuted: the body turns its flag off
@proc
def p(n: size, x: f32):
    for i in seq(0, n):  # here
        if Cfg.flag:
            x = 1.0
        else:
            x = 2.0
        Cfg.flag = False

# proved: the body sets the flag before it looks
@proc
def p(n: size, x: f32):
    for i in seq(0, n):  # here
        Cfg.flag = False
        if Cfg.flag:
            x += 1.0

# proved: the loop's own bound is set to another value, once
@proc
def p(x: f32):
    Cfg.n = 4
    for i in seq(0, Cfg.n):  # here
        Cfg.n = 2
        x = 1.0

# refuted: fields handed on from one to the next
@proc
def p(n: size, x: f32):
    for i in seq(0, n):  # here
        Cfg.a = Cfg.b
        Cfg.b = 5

# proved: a field from the upper bound
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):  # here
        Cfg.a = n
        x[Cfg.a] = 1.0

# proved: the name that the body binds is another than the one after it
@proc
def p(n: size, t: f32):
    for i in seq(0, n):  # here
        t: f32
        t = 1.0
    t = 2.0

# proved: a buffer of the body
@proc
def p(n: size, x: f32, y: f32):
    for i in seq(0, n):  # here
        t: f32
        t = x
        t += 1.0
        y = t

# proved: a call that overwrites
@proc
def put(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 1.0

@proc
def p(n: size, x: f32[8]):
    for i in seq(0, n):  # here
        put(x[2:6])

# refuted: a call that accumulates
@proc
def put(x: [f32][4]):
    for i in seq(0, 4):
        x[i] += 1.0

@proc
def p(n: size, x: f32[8]):
    for i in seq(0, n):  # here
        put(x[2:6])
