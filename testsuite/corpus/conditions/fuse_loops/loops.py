@config
class Cfg:
    a: index
    n: size
    flag: bool

# proved: a producer and the consumer of the same cell
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # first
        x[i] = 1.0
    for j in seq(0, n):  # second
        y[j] = x[j]

# proved: the consumer reads behind the producer
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # first
        x[i + 1] = 1.0
    for j in seq(0, n):  # second
        y[j] = x[j]

# refuted: the consumer reads ahead of the producer
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # first
        x[i] = 1.0
    for j in seq(0, n):  # second
        y[j] = x[j + 1]

# proved: the consumer overwrites behind the producer's reads
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # first
        y[i] = x[i + 1]
    for j in seq(0, n):  # second
        x[j] = 2.0

# refuted: the second loop overwrites what the first has yet to read
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # first
        y[i] = x[i]
    for j in seq(0, n):  # second
        x[j + 1] = 2.0

# proved: two sums into one cell
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # first
        s += x[i]
    for j in seq(0, n):  # second
        s += 2.0 * x[j]

# refuted: the second loop needs the whole sum
@proc
def p(n: size, x: f32[n], y: f32[n], s: f32):
    for i in seq(0, n):  # first
        s += x[i]
    for j in seq(0, n):  # second
        y[j] = s

# refuted (loop.bounds): one iteration more
@proc
def p(n: size, x: f32[n + 1], y: f32[n + 1]):
    for i in seq(0, n):      # first
        x[i] = 1.0
    for j in seq(0, n + 1):  # second
        y[j] = 2.0

# refuted (loop.bounds): as many iterations, elsewhere
@proc
def p(n: size, x: f32[n + 1], y: f32[n + 1]):
    for i in seq(0, n):      # first
        x[i] = 1.0
    for j in seq(1, n + 1):  # second
        y[j] = 2.0

# proved: bounds equal by an assertion
@proc
def p(n: size, m: size, x: f32[n], y: f32[m]):
    assert n == m
    for i in seq(0, n):  # first
        x[i] = 1.0
    for j in seq(0, m):  # second
        y[j] = 2.0

# proved: bounds equal by arithmetic
@proc
def p(n: size, x: f32[n], y: f32[n]):
    assert n % 4 == 0
    for i in seq(0, n):              # first
        x[i] = 1.0
    for j in seq(0, 4 * (n / 4)):    # second
        y[j] = 2.0

# refuted (loop.bounds): bounds equal but for a remainder
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):              # first
        x[i] = 1.0
    for j in seq(0, 4 * (n / 4)):    # second
        y[j] = 2.0

# refuted (loop.bounds): the first loop changes the second's bound
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):  # first
        x[i] = 1.0
        Cfg.n = 2
    for j in seq(0, Cfg.n):  # second
        y[j] = 2.0

# proved: the second loop changes its own bound
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):  # first
        x[i] = 1.0
    for j in seq(0, Cfg.n):  # second
        y[j] = 2.0
        Cfg.n = 2

# refuted: the first loop leaves a field that the second reads
@proc
def p(n: size, x: f32[n + 1], y: f32[n + 1]):
    for i in seq(0, n):  # first
        Cfg.a = i
    for j in seq(0, n):  # second
        y[Cfg.a] += 1.0

# refuted: the second loop moves the first's writes
@proc
def p(n: size, x: f32[8], y: f32[n]):
    Cfg.a = 0
    for i in seq(0, n):  # first
        x[Cfg.a] = y[i]
    for j in seq(0, n):  # second
        Cfg.a = 3

# proved: the loops leave different fields alone
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # first
        if Cfg.flag:
            x[i] = 1.0
    for j in seq(0, n):  # second
        if Cfg.flag:
            y[j] = x[j]

# proved: tile by tile
@proc
def p(n: size, x: f32[8 * n], y: f32[8 * n]):
    for io in seq(0, n):  # first
        for ii in seq(0, 8):
            x[8 * io + ii] = 1.0
    for jo in seq(0, n):  # second
        for ji in seq(0, 8):
            y[8 * jo + ji] = x[8 * jo + ji]

# refuted: tiles with a halo
@proc
def p(n: size, x: f32[8 * n + 1], y: f32[8 * n]):
    for io in seq(0, n):  # first
        for ii in seq(0, 8):
            x[8 * io + ii] = 1.0
    for jo in seq(0, n):  # second
        for ji in seq(0, 8):
            y[8 * jo + ji] = x[8 * jo + ji + 1]

# proved: a halo that looks back
@proc
def p(n: size, x: f32[8 * n + 1], y: f32[8 * n]):
    for io in seq(0, n):  # first
        for ii in seq(0, 8):
            x[8 * io + ii + 1] = 1.0
    for jo in seq(0, n):  # second
        for ji in seq(0, 8):
            y[8 * jo + ji] = x[8 * jo + ji]

# proved: loops with starts that are not zero
@proc
def p(n: size, x: f32[n + 2], y: f32[n + 2]):
    for i in seq(2, n + 2):  # first
        x[i] = 1.0
    for j in seq(2, n + 2):  # second
        y[j] = x[j - 1]

# refuted: a window in the second loop reads ahead
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # first
        x[i] = 1.0
    for j in seq(0, n):  # second
        a = x[j:j + 2]
        y[j] = a[1]

# proved: a window in the second loop of which only the near cell is read
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):  # first
        x[i] = 1.0
    for j in seq(0, n):  # second
        a = x[j:j + 2]
        y[j] = a[0]

# refuted (loop.parallel): the fused iterations would race
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in par(0, n):  # first
        x[i + 1] = 1.0
    for j in par(0, n):  # second
        y[j] = x[j]

# proved: parallel loops over the same cells
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):  # first
        x[i] = 1.0
    for j in par(0, n):  # second
        y[j] = x[j]

# refuted (loop.parallel): a sequential sum in a parallel loop
@proc
def p(n: size, x: f32[n], s: f32):
    for i in par(0, n):  # first
        x[i] = 1.0
    for j in seq(0, n):  # second
        s += 2.0

# proved: loops of one iteration
@proc
def p(x: f32[2], y: f32[2]):
    for i in seq(0, 1):  # first
        x[i] = 1.0
    for j in seq(0, 1):  # second
        y[j] = x[j + 1]

# proved: loops of no iterations
@proc
def p(x: f32[2], y: f32[2]):
    for i in seq(1, 1):  # first
        x[i] = 1.0
    for j in seq(1, 1):  # second
        y[j] = x[0]

# proved: row by row, with dependent inner bounds
@proc
def p(n: size, x: f32[n, n], y: f32[n, n]):
    for i in seq(0, n):  # first
        for j in seq(0, i + 1):
            x[i, j] = 1.0
    for k in seq(0, n):  # second
        for l in seq(0, k + 1):
            y[k, l] = x[l, l]

# refuted: dependent inner bounds that look ahead
@proc
def p(n: size, x: f32[n, n], y: f32[n, n]):
    for i in seq(0, n):  # first
        for j in seq(0, i + 1):
            x[i, j] = 1.0
    for k in seq(0, n):  # second
        for l in seq(k, n):
            y[k, l] = x[l, l]

# proved: a call and a loop by rows
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: size, m: size, x: f32[n, m], y: f32[n, m]):
    for i in seq(0, n):  # first
        fill(m, x[i, :])
    for j in seq(0, n):  # second
        for k in seq(0, m):
            y[j, k] = x[j, k]

# refuted: a call by rows and a loop by columns
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: size, x: f32[n, n], y: f32[n, n]):
    for i in seq(0, n):  # first
        fill(n, x[i, :])
    for j in seq(0, n):  # second
        for k in seq(0, n):
            y[j, k] = x[k, j]

# proved: each loop sets the field that it reads, to one value
@proc
def p(n: size, x: f32[n + 3], y: f32[n + 3]):
    for i in seq(0, n):  # first
        Cfg.a = 3
        x[i + Cfg.a] = 1.0
    for j in seq(0, n):  # second
        Cfg.a = 3
        y[j + Cfg.a] = 2.0

# refuted: each loop sets the field that it reads, to another value
@proc
def p(n: size, x: f32[n + 3], y: f32[n + 3]):
    for i in seq(0, n):  # first
        Cfg.a = 3
        x[i + Cfg.a] = 1.0
    for j in seq(0, n):  # second
        y[j + Cfg.a] = 2.0
        Cfg.a = 2

# proved: [E-31] each loop sets a field to its own number
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # first
        Cfg.a = n - i
        x[i] = 1.0
    for j in seq(0, n):  # second
        Cfg.a = n - j
        y[j] = 2.0

# proved: [E-34] a producer whose pieces overlap, each with the consumer of what it has computed
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):  # first
        for k in seq(0, 3):
            t[i + k] = x[i + k] * 2.0
    for j in seq(0, n):  # second
        y[j] = t[j] + t[j + 1] + t[j + 2]

# refuted: pieces that overlap and do not agree on what they share
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):  # first
        for k in seq(0, 3):
            t[i + k] = x[i]
    for j in seq(0, n):  # second
        y[j] = t[j] + t[j + 1] + t[j + 2]

# refuted: pieces that overlap, and a consumer that needs the next one
@proc
def p(n: size, x: f32[n + 3], y: f32[n]):
    t: f32[n + 3]
    t[n + 2] = 0.0
    for i in seq(0, n):  # first
        for k in seq(0, 3):
            t[i + k] = x[i + k]
    for j in seq(0, n):  # second
        y[j] = t[j + 3]

# refuted: pieces that overlap, of what the consumer overwrites
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for i in seq(0, n):  # first
        for k in seq(0, 3):
            t[i + k] = x[i + k]
    for j in seq(0, n):  # second
        y[j] = t[j + 1]
        x[j + 2] = 0.0

# refuted: pieces that overlap and add up
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for z in seq(0, n + 2):
        t[z] = 0.0
    for i in seq(0, n):  # first
        for k in seq(0, 3):
            t[i + k] += x[i + k]
    for j in seq(0, n):  # second
        y[j] = t[j + 1]

# refuted: the consumer moves the field that says what it reads
@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    t: f32[n + 2]
    for k in seq(0, n + 2):
        t[k] = 0.0
    Cfg.a = 0
    for i in seq(0, n):  # first
        t[i] = x[i]
    for j in seq(0, n):  # second
        y[j] = t[Cfg.a]
        Cfg.a = j + 2

# refuted: both loops set a field, the second in one iteration
@proc
def p(n: size):
    for i in seq(0, n):  # first
        Cfg.a = 1
    for j in seq(0, n):  # second
        if j == 0:
            Cfg.a = 2

# refuted: [E-31] the last iteration of the second loop, which changes places with none, would find what that of the first has set
@proc
def p(n: size, x: f32[n], y: f32[1]):
    for i in seq(0, n):  # first
        Cfg.a = i
        x[i] = 1.0
    for j in seq(0, n):  # second
        if j == n - 1:
            if Cfg.a == n - 1:
                y[0] = 2.0
        Cfg.a = n - j
