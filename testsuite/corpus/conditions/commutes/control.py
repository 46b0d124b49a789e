# proved: guards that exclude each other
@proc
def p(n: size, x: f32):
    if n > 4:   # first
        x = 1.0
    if n < 3:   # second
        x = 2.0

# refuted: guards that may both hold
@proc
def p(n: size, x: f32):
    if n > 4:   # first
        x = 1.0
    if n < 7:   # second
        x = 2.0

# proved: a branch and the opposite else branch
@proc
def p(b: bool, x: f32, y: f32):
    if b:       # first
        x = 1.0
    else:
        y = 1.0
    if b:       # second
        y = 2.0
    else:
        x = 2.0

# refuted: two else branches of one condition
@proc
def p(b: bool, x: f32):
    if b:       # first
        pass
    else:
        x = 1.0
    if b:       # second
        pass
    else:
        x = 2.0

# proved: the enclosing guard makes the first statement's guard false
@proc
def p(n: size, x: f32):
    if n < 4:
        if n > 4:  # first
            x = 1.0
        x = 2.0    # second

# refuted: in the else branch the condition does not hold
@proc
def p(n: size, x: f32):
    if n < 4:
        pass
    else:
        if n > 4:  # first
            x = 1.0
        x = 2.0    # second

# proved: a loop of no iterations touches nothing
@proc
def p(x: f32[4]):
    for i in seq(3, 3):  # first
        x[i] = 1.0
    x[3] = 2.0           # second

# proved: two loops over disjoint ranges
@proc
def p(n: size, m: size, x: f32[n + m]):
    for i in seq(0, n):      # first
        x[i] = 1.0
    for j in seq(n, n + m):  # second
        x[j] = 2.0

# refuted: two loops that share the cell between their ranges
@proc
def p(n: size, m: size, x: f32[n + m + 1]):
    for i in seq(0, n + 1):  # first
        x[i] = 1.0
    for j in seq(n, n + m):  # second
        x[j] = 2.0

# proved: even cells in one loop, odd cells in another
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):  # first
        x[2 * i] = 1.0
    for j in seq(0, n):  # second
        x[2 * j + 1] = 2.0

# refuted: multiples of two and of three meet
@proc
def p(n: size, x: f32[3 * n]):
    for i in seq(0, n):  # first
        x[2 * i] = 1.0
    for j in seq(1, n):  # second
        x[3 * j] = 2.0

# proved: multiples of six and neighbours of multiples of four differ in parity
@proc
def p(n: size, x: f32[6 * n + 2]):
    for i in seq(0, n):  # first
        x[6 * i] = 1.0
    for j in seq(0, n):  # second
        x[4 * j + 1] = 2.0

# proved: the lower and the upper triangle
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):      # first
        for j in seq(0, i + 1):
            x[i, j] = 1.0
    for i in seq(0, n):      # second
        for j in seq(i + 1, n):
            x[i, j] = 2.0

# refuted: two triangles with the diagonal
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):      # first
        for j in seq(0, i + 1):
            x[i, j] = 1.0
    for i in seq(0, n):      # second
        for j in seq(i, n):
            x[i, j] = 2.0

# proved: the interior of a loop and its tail
@proc
def p(n: size, x: f32[n]):
    for io in seq(0, n / 8):         # first
        for ii in seq(0, 8):
            x[8 * io + ii] = 1.0
    for i in seq(8 * (n / 8), n):    # second
        x[i] = 2.0

# refuted: the interior rounded up meets the tail
@proc
def p(n: size, x: f32[n + 8]):
    for io in seq(0, (n + 7) / 8):   # first
        for ii in seq(0, 8):
            x[8 * io + ii] = 1.0
    for i in seq(n, n + 8):          # second
        x[i] = 2.0

# proved: a buffer made inside a loop is no one else's
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # first
        t: f32
        t = x[i]
        x[i] = t * t
    for i in seq(0, n):  # second
        t: f32
        t = 1.0
        y[i] = t

# refuted (scope): an allocation does not move behind its use
@proc
def p(x: f32):
    t: f32    # first
    t = 1.0   # second
    x = t

# proved: an inner buffer of the same name is another
@proc
def p(n: size, t: f32[n]):
    for i in seq(0, n):
        if i < n - 1:  # first
            t: f32[n]
            t[i] = 1.0
        t[i] = 2.0     # second

# refuted: an argument is not hidden after the block that hides it
@proc
def p(n: size, t: f32[n]):
    for i in seq(0, n):
        if i < n:       # first
            t[i] = 1.0
        t[i] = 2.0      # second

# proved: a call that writes one row and a call that reads another
@proc
def copy(n: size, dst: [f32][n], src: [f32][n]):
    for i in seq(0, n):
        dst[i] = src[i]

@proc
def p(n: size, m: size, x: f32[n + 3, m], y: f32[m]):
    for i in seq(0, n):
        copy(m, x[i, :], x[i + 1, :])      # first
        copy(m, y[0:m], x[i + 2, :])       # second

# refuted: a call reads the row that another call writes
@proc
def copy(n: size, dst: [f32][n], src: [f32][n]):
    for i in seq(0, n):
        dst[i] = src[i]

@proc
def p(n: size, m: size, x: f32[n + 3, m], y: f32[m]):
    for i in seq(0, n):
        copy(m, x[i + 2, :], x[i + 1, :])  # first
        copy(m, y[0:m], x[i + 2, :])       # second

# proved: an instruction that accumulates twice into one tile
@instr("mac({dst_data}, {src_data});")
def mac(dst: [f32][4], src: [f32][4]):
    for i in seq(0, 4):
        dst[i] += src[i]

@proc
def p(acc: f32[4], a: f32[4], b: f32[4]):
    mac(acc[0:4], a[0:4])  # first
    mac(acc[0:4], b[0:4])  # second

# refuted: an instruction that clears what another accumulates
@instr("mac({dst_data}, {src_data});")
def mac(dst: [f32][4], src: [f32][4]):
    for i in seq(0, 4):
        dst[i] += src[i]

@instr("zero({dst_data});")
def zero(dst: [f32][4]):
    for i in seq(0, 4):
        dst[i] = 0.0

@proc
def p(acc: f32[4], a: f32[4]):
    mac(acc[0:4], a[0:4])  # first
    zero(acc[0:4])         # second

# proved: what the assertion says of two numbers keeps their cells apart
@proc
def p(n: size, i: index, j: index, x: f32[n]):
    assert 0 <= i
    assert i < j
    assert j < n
    x[i] = 1.0  # first
    x[j] = 2.0  # second

# proved: an assertion on a remainder keeps halves apart
@proc
def p(n: size, x: f32[n]):
    assert n % 2 == 0
    for i in seq(0, n / 2):
        x[i] = 1.0          # first
        x[i + n / 2] = 2.0  # second

# proved: halves of an odd size are apart too
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n / 2):
        x[i] = 1.0          # first
        x[n - 1 - i] = 2.0  # second
