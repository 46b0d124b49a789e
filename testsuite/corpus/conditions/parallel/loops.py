@config
class Cfg:
    a: index
    flag: bool
    scale: f32

# proved: a cell for each iteration
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        x[i] = 1.0

# refuted: one cell for all
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        s = x[i]

# refuted: a sum of all
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        s += x[i]

# proved: everyone reads one cell
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        x[i] = s

# refuted: neighbours
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):  # here
        x[i] = x[i + 1]

# proved: a row for each iteration
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i, j] += 1.0

# refuted: a column for each iteration crosses the rows read
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            x[i, j] = x[j, i]

# proved: tiles
@proc
def p(n: size, x: f32[8 * n]):
    for io in seq(0, n):  # here
        for ii in seq(0, 8):
            x[8 * io + ii] = 1.0

# refuted: tiles that overlap by one
@proc
def p(n: size, x: f32[8 * n + 1]):
    for io in seq(0, n):  # here
        for ii in seq(0, 9):
            x[8 * io + ii] = 1.0

# proved: strided interleaving
@proc
def p(n: size, x: f32[4 * n]):
    for i in seq(0, 4):  # here
        for j in seq(0, n):
            x[4 * j + i] = 1.0

# refuted: strided interleaving with one lane too many
@proc
def p(n: size, x: f32[4 * n + 1]):
    for i in seq(0, 5):  # here
        for j in seq(0, n):
            x[4 * j + i] = 1.0

# refuted: two iterations share a quotient
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        x[i / 2] = 1.0

# proved: quotient and remainder together are a cell each
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, 4 * n):  # here
        x[i / 4, i % 4] = 1.0

# refuted: remainders return
@proc
def p(n: size, x: f32[4]):
    for i in seq(0, n):  # here
        x[i % 4] = 1.0

# proved: remainders do not return within the divisor
@proc
def p(x: f32[4]):
    for i in seq(3, 7):  # here
        x[i % 4] = 1.0

# proved: downwards
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        x[n - 1 - i] = 1.0

# refuted: upwards and downwards
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        x[n - 1 - i] = x[i]

# proved: from the lower half to the upper, downwards
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):  # here
        x[2 * n - 1 - i] = x[i]

# proved: one iteration is alone
@proc
def p(s: f32):
    for i in seq(6, 7):  # here
        s += 1.0

# proved: no iteration at all
@proc
def p(s: f32):
    for i in seq(7, 6):  # here
        s += 1.0

# proved: a guard for one iteration
@proc
def p(n: size, s: f32):
    for i in seq(0, n):  # here
        if i == 2:
            s += 1.0

# refuted: a guard for two iterations
@proc
def p(n: size, s: f32):
    for i in seq(0, n):  # here
        if i <= 1:
            s += 1.0

# refuted: a field of control is set by all
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        Cfg.a = 3
        x[i] = 1.0

# proved: a field is read by all
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        if Cfg.flag:
            x[i] = Cfg.scale

# refuted: a field of data is set by all
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        Cfg.scale = x[i]

# proved: a buffer for each iteration
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # here
        t: f32
        t = x[i]
        x[i] = t + 1.0

# refuted: a buffer made before the loop
@proc
def p(n: size, x: f32[n]):
    t: f32
    for i in seq(0, n):  # here
        t = x[i]
        x[i] = t + 1.0

# proved: windows by row
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        a = x[i, :]
        for j in seq(0, m):
            a[j] = 1.0

# refuted: a window of two rows
@proc
def p(n: size, x: f32[n + 1, 4]):
    for i in seq(0, n):  # here
        a = x[i:i + 2, 0:4]
        a[1, 0] = a[0, 0]

# proved: a window of a window, its offset a multiple of its width
@proc
def p(n: size, x: f32[4 * n + 3]):
    a = x[3:4 * n + 3]
    for i in seq(0, n):  # here
        b = a[4 * i:4 * i + 4]
        for j in seq(0, 4):
            b[j] = 1.0

# refuted: a window of a window, its offset less than its width
@proc
def p(n: size, x: f32[3 * n + 4]):
    a = x[3:3 * n + 4]
    for i in seq(0, n):  # here
        b = a[3 * i:3 * i + 4]
        for j in seq(0, 4):
            b[j] = 1.0

# proved: calls by row
@proc
def scale(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        scale(m, x[i, :])

# refuted: calls on one row
@proc
def scale(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        scale(m, x[0, :])

# proved: a triangle by rows
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, i + 1):
            x[i, j] = 1.0

# refuted: a triangle of which the diagonal is read
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, i + 1):
            x[i, j] = x[j, j]

# proved: the diagonals of a wavefront
@proc
def p(n: size, x: f32[n + 1, n + 1]):
    for w in seq(0, n):
        for i in seq(0, w + 1):  # here
            x[i + 1, w - i + 1] = x[i, w - i + 1] + x[i + 1, w - i]
