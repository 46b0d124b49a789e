@config
class Cfg:
    a: index
    n: size
    flag: bool

# proved: each iteration writes a cell of its own
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i, j] = 1.0

# proved: all iterations add to one cell
@proc
def p(n: size, m: size, x: f32[n, m], s: f32):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            s += x[i, j]

# refuted: an anti-diagonal writes one cell
@proc
def p(n: size, m: size, x: f32[n, m], s: f32):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if i + j == 2:
                s = x[i, j]

# proved: matrix times vector
@proc
def p(n: size, m: size, a: f32[n, m], x: f32[m], y: f32[n]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            y[i] += a[i, j] * x[j]

# refuted: the sum of a row is begun again by a later one
@proc
def p(n: size, m: size, a: f32[n, m], y: f32[2]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            y[(i + j) % 2] = y[i % 2] + a[i, j]

# proved: every iteration depends on the one before in its own row
@proc
def p(n: size, m: size, x: f32[n, m + 1]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i, j + 1] = x[i, j]

# proved: distance (1, 0) stays ahead
@proc
def p(n: size, m: size, x: f32[n + 1, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i + 1, j] = x[i, j]

# proved: distance (1, 1) stays ahead
@proc
def p(n: size, m: size, x: f32[n + 1, m + 1]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i + 1, j + 1] = x[i, j]

# refuted: distance (1, -1) turns round
@proc
def p(n: size, m: size, x: f32[n + 1, m + 1]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i + 1, j] = x[i, j + 1]

# proved: a stencil whose neighbours are left and above
@proc
def p(n: size, m: size, x: f32[n + 1, m + 1]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i + 1, j + 1] = x[i, j + 1] + x[i + 1, j]

# refuted: a stencil with the neighbour right above
@proc
def p(n: size, m: size, x: f32[n + 1, m + 2]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i + 1, j + 1] = x[i, j + 2] + x[i + 1, j]

# proved: one outer iteration has nothing to change places with
@proc
def p(m: size, x: f32[2, m + 1]):
    for i in seq(0, 1):  # here
        for j in seq(0, m):
            x[i + 1, j] = x[i, j + 1] + x[1, j + 1]

# proved: one inner iteration has nothing to change places with
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        for j in seq(3, 4):
            s = x[i]

# refuted (loop.bounds): a triangle cannot simply change places
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, i + 1):
            x[i, j] = 1.0

# refuted (loop.bounds): the body shortens the inner loop
@proc
def p(n: size, x: f32[n, 4]):
    Cfg.n = 4
    for i in seq(0, n):  # here
        for j in seq(0, Cfg.n):
            x[i, j] += 1.0
            Cfg.n = 2

# proved: the body never gets to change the inner bound
@proc
def p(n: size, x: f32[n, 4]):
    Cfg.n = 4
    for i in seq(0, n):  # here
        for j in seq(0, Cfg.n):
            x[i, j] += 1.0
            if j < 0:
                Cfg.n = 2

# refuted: an iteration turns a flag on for later ones
@proc
def p(n: size, m: size, x: f32, y: f32[n, m]):
    Cfg.flag = False
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if Cfg.flag:
                x += y[i, j]
            if i == 1:
                if j == 0:
                    Cfg.flag = True

# proved: the flag is written and never read
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            x[i, j] = 1.0
            if i < 0:
                Cfg.flag = True

# refuted: the field holds the last iteration's numbers
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if i + j == 1:
                Cfg.a = i

# proved: a buffer of its own in each iteration
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            t: f32
            t = x[i, j]
            x[i, j] = t * t

# proved: rows through a window made inside
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            a = x[i, j:m]
            a[0] += 1.0

# refuted: through a window, the neighbour
@proc
def p(n: size, m: size, x: f32[n + 1, m + 1]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            a = x[i:i + 2, j:j + 2]
            a[1, 0] = a[0, 1]

# proved: tiles of a line
@proc
def p(n: size, x: f32[8 * n]):
    for io in seq(0, n):  # here
        for ii in seq(0, 8):
            x[8 * io + ii] = 1.0

# refuted: tiles that overlap
@proc
def p(n: size, x: f32[8 * n + 2], y: f32[n, 10]):
    for io in seq(0, n):  # here
        for ii in seq(0, 10):
            x[8 * io + ii] = y[io, ii]

# proved: a flattened index by quotient and remainder
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):  # here
        for j in seq(0, 4):
            x[(4 * i + j) / 4, (4 * i + j) % 4] = 1.0

# proved: the outer loop is parallel
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in par(0, n):  # here
        for j in seq(0, m):
            x[i, j] = 1.0

# refuted (loop.parallel): the parallel inner loop becomes the outer one
@proc
def p(n: size, m: size, x: f32[n + m]):
    for i in seq(0, n):  # here
        for j in par(0, m):
            x[i + j] += 1.0

# proved: a parallel inner loop whose iterations are apart in every row
@proc
def p(n: size, m: size, x: f32[m]):
    for i in seq(0, n):  # here
        for j in par(0, m):
            x[j] += 1.0

# proved: bounds from an argument's extent, and starts that are not zero
@proc
def p(n: size, m: size, x: f32[n + 3, m + 5]):
    for i in seq(3, n + 3):  # here
        for j in seq(5, m + 5):
            x[i, j] = 1.0

# proved: a guard keeps the upper triangle
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            if j <= i:
                x[i, j] = x[j, j] + 1.0 - x[j, j]

# refuted: the guard lets two columns in
@proc
def p(n: size, x: f32[n, n], s: f32):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            if j <= 1:
                s = 2.0 * s + x[i, j]

# proved: the guard lets one column in
@proc
def p(n: size, x: f32[n, n], s: f32):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            if j == 1:
                s = x[i, j]

# proved: an assertion leaves one row
@proc
def p(n: size, m: size, x: f32[n, m], s: f32):
    assert n == 1
    for i in seq(0, n):  # here
        for j in seq(0, m):
            s = x[i, j]

# refuted: calls that copy along the anti-diagonal
@proc
def step(x: [f32][2, 2]):
    x[1, 0] = x[0, 1]

@proc
def p(n: size, m: size, x: f32[n + 1, m + 1]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            step(x[i:i + 2, j:j + 2])

# proved: every iteration sets a field anew before it reads it
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            Cfg.a = 3
            if Cfg.a == 3:
                x[i, j] = 1.0

# refuted: every iteration reads what the one before it set
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if Cfg.a == 3:
                x[i, j] = 1.0
            if i + j == 1:
                Cfg.a = 3
            else:
                Cfg.a = 4

# proved: every iteration reads a field before it sets it to what it is
@proc
def p(n: size, m: size, x: f32[n, m], s: f32):
    if Cfg.flag:
        for i in seq(0, n):  # here
            for j in seq(0, m):
                if Cfg.flag:
                    s += x[i, j]
                else:
                    s = x[i, j]
                if i < 0:
                    Cfg.flag = False

# refuted: the inner bound grows, and the iterations it adds change another field
@proc
def p(n: size, m: size, x: f32[n + 8], s: f32):
    assert n < 3
    Cfg.flag = False
    for i in seq(0, n):  # here
        for j in seq(0, m):
            if Cfg.flag:
                s = 2.0 * s + x[i]
            if j == 5:
                Cfg.flag = True

# proved: iterations that meet write one value
@proc
def p(n: size, x: f32[2 * n], y: f32[2 * n]):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            x[i + j] = y[i + j]

# refuted: iterations that meet write values of their own
@proc
def p(n: size, x: f32[2 * n], y: f32[2 * n]):
    for i in seq(0, n):  # here
        for j in seq(0, n):
            x[i + j] = y[i]

# refuted (loop.variable): the inner bound is the same in every iteration, and names the outer variable
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, n + i - i):
            x[i, j] = 1.0
