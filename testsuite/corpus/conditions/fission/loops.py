@config
class Cfg:
    a: index
    n: size
    flag: bool

# proved: the halves write different buffers
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # here
        x[i] = 1.0
        y[i] = 2.0  # second

# proved: the second half reads what the first wrote in the same iteration
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # here
        x[i] = 1.0
        y[i] = x[i]  # second

# proved: the second half reads what the first wrote in earlier iterations
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # here
        x[i + 1] = 1.0
        y[i] = x[i]  # second

# refuted: the second half reads what the first will write
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # here
        x[i] = 1.0
        y[i] = x[i + 1]  # second

# refuted: an accumulator is begun in each iteration
@proc
def p(n: size, m: size, x: f32[n, m], y: f32[n], s: f32):
    for i in seq(0, n):  # here
        s = 0.0
        for j in seq(0, m):  # second
            s += x[i, j]
        y[i] = s

# proved: an accumulator of each iteration is begun
@proc
def p(n: size, m: size, x: f32[n, m], y: f32[n]):
    for i in seq(0, n):  # here
        y[i] = 0.0
        for j in seq(0, m):  # second
            y[i] += x[i, j]

# proved: both halves add to one cell
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        s += x[i]
        s += 2.0 * x[i]  # second

# refuted: one half adds and the other doubles
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        s += x[i]
        s = 2.0 * s  # second

# refuted (scope): a buffer ends with its loop
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        t: f32
        t = x[i]
        x[i] = t * t  # second

# refuted (scope): a window ends with its loop
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):  # here
        a = x[i, 0:2]
        a[0] = 1.0  # second

# proved: a window that only the first half uses
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):  # here
        a = x[i, 0:2]
        a[0] = 1.0
        x[i, 2] = 3.0  # second

# refuted: a window hides what the first half touches
@proc
def p(n: size, x: f32[n + 1, 4], y: f32[n]):
    for i in seq(0, n):  # here
        a = x[i, 0:2]
        a[0] = 1.0
        y[i] = x[i + 1, 0]  # second

# refuted (loop.bounds): the first half changes the bound
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):  # here
        x[i] = 1.0
        Cfg.n = 2
        y[i] = 2.0  # second

# proved: the first half sets the bound to what it is
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):  # here
        x[i] = 1.0
        Cfg.n = 4
        y[i] = 2.0  # second

# proved: the second half changes the bound
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):  # here
        x[i] = 1.0
        y[i] = 2.0  # second
        Cfg.n = 2

# refuted: the second half changes the index of the first
@proc
def p(n: size, x: f32[8], y: f32[n]):
    Cfg.a = 0
    for i in seq(0, n):  # here
        x[Cfg.a] = y[i]
        Cfg.a = 3  # second

# refuted: the first half sets a field that the second reads
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        Cfg.a = i
        x[Cfg.a] += 1.0  # second

# proved: the first half sets a field that the second reads to the same value in each iteration
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        Cfg.a = 3
        x[i] = x[i] + 1.0  # second
        if Cfg.a == 3:
            x[i] = 2.0 * x[i]

# refuted: the first half sets a field to the same value, and the second moves it
@proc
def p(n: size, x: f32[n], y: f32):
    for i in seq(0, n):  # here
        Cfg.a = 3
        if Cfg.a == 3:  # second
            y += x[i]
        Cfg.a = 4

# refuted: the first half sets a cell to the same value, and the second adds to it
@proc
def p(n: size, x: f32[n], y: f32[n], s: f32):
    for i in seq(0, n):  # here
        s = 0.0
        s += x[i]  # second
        y[i] = s

# proved: dependent bounds of the second half
@proc
def p(n: size, x: f32[n], y: f32[n, n]):
    for i in seq(0, n):  # here
        x[i] = 1.0
        for j in seq(0, i + 1):  # second
            y[i, j] = x[j]

# refuted: dependent bounds reach beyond
@proc
def p(n: size, x: f32[n], y: f32[n, n]):
    for i in seq(0, n):  # here
        x[i] = 1.0
        for j in seq(i, n):  # second
            y[i, j] = x[j]

# proved: no iteration follows another
@proc
def p(x: f32[2], y: f32[2]):
    for i in seq(0, 1):  # here
        x[i] = 1.0
        y[i] = x[i + 1]  # second

# proved: even cells first, odd cells second
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):  # here
        x[2 * i] = x[2 * i] + 1.0
        x[2 * i + 1] = 2.0  # second

# refuted: a cell ahead by quotient
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # here
        x[i / 2] = y[i]
        y[i / 2] = x[(i + 1) / 2]  # second

# proved: guards send the halves to different iterations
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):  # here
        if i < 2:
            x[i] = 1.0
        if i >= 2:  # second
            x[i - 2] = 2.0

# refuted: guards that let an earlier second half meet a later first half
@proc
def p(n: size, x: f32[n + 4]):
    for i in seq(0, n):  # here
        if i >= 2:
            x[i] = 1.0
        if i < 2:  # second
            x[i + 2] = 2.0

# proved: a call writes the row that a later statement reads
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: size, m: size, x: f32[n, m], y: f32[n]):
    for i in seq(0, n):  # here
        fill(m, x[i, :])
        y[i] = x[i, 0]  # second

# refuted: a call writes the row that an earlier iteration should have read
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: size, m: size, x: f32[n + 1, m], y: f32[n]):
    for i in seq(0, n):  # here
        fill(m, x[i, :])
        y[i] = x[i + 1, 0]  # second

# proved: a parallel loop
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):  # here
        x[i] = 1.0
        y[i] = x[i]  # second

# refuted (scope): a name bound in the first half that hides an argument
@proc
def p(n: size, t: f32, y: f32[n]):
    for i in seq(0, n):  # here
        t: f32
        t = 1.0
        y[i] = t  # second

# proved: a configuration that an instruction asks for is hoisted
@instr("load({dst_data}, {src_data});")
def load(dst: [f32][4], src: [f32][4]):
    assert Cfg.a == 4
    for i in seq(0, 4):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[4 * n], y: f32[4 * n]):
    for i in seq(0, n):  # here
        Cfg.a = 4
        load(y[4 * i:4 * i + 4], x[4 * i:4 * i + 4])  # second

# refuted: a configuration that depends on the iteration stays
@instr("load({dst_data}, {src_data});")
def load(k: index, dst: [f32][4], src: [f32][4]):
    assert Cfg.a == k
    for i in seq(0, 4):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[4 * n], y: f32[4 * n]):
    for i in seq(0, n):  # here
        Cfg.a = i
        load(i, y[4 * i:4 * i + 4], x[4 * i:4 * i + 4])  # second

# proved: each part sets the field that it reads
@proc
def p(n: size, x: f32[n + 3], y: f32[n + 3]):
    for i in seq(0, n):  # here
        Cfg.a = 3
        x[i + Cfg.a] = 1.0
        Cfg.a = 3  # second
        y[i + Cfg.a] = 2.0

# refuted: both parts set a field, the second in one iteration
@proc
def p(n: size):
    for i in seq(0, n):  # here
        Cfg.a = 1
        if i == 0:  # second
            Cfg.a = 2
