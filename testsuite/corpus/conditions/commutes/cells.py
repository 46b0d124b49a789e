# proved: even and odd cells of one buffer are different
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):
        x[2 * i] = 1.0      # first
        x[2 * i + 1] = 2.0  # second

# refuted: two writes to one cell
@proc
def p(x: f32[4]):
    x[0] = 1.0  # first
    x[0] = 2.0  # second

# proved: writes to different cells
@proc
def p(x: f32[4]):
    x[0] = 1.0  # first
    x[1] = 2.0  # second

# proved: two reductions of one cell
@proc
def p(s: f32, x: f32[2]):
    s += x[0]  # first
    s += x[1]  # second

# refuted: a reduction and a write of one cell
@proc
def p(s: f32, x: f32[2]):
    s = x[0]   # first
    s += x[1]  # second

# refuted: a reduction and a read of its cell
@proc
def p(s: f32, y: f32):
    s += 1.0  # first
    y = s     # second

# refuted: a reduction that reads what the other reduces
@proc
def p(s: f32, t: f32):
    s += t  # first
    t += 1.0  # second

# proved: both read the same cell
@proc
def p(x: f32, y: f32, z: f32):
    y = x  # first
    z = x  # second

# refuted: the first reads what the second writes
@proc
def p(x: f32, y: f32):
    y = x    # first
    x = 2.0  # second

# proved: two neighbours, wherever they are
@proc
def p(n: size, x: f32[n + 1]):
    x[n - 1] = 1.0  # first
    x[n] = 2.0      # second

# refuted: the last cell is the first when the size is 1
@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0      # first
    x[n - 1] = 2.0  # second

# proved: the last cell is not the first when the size is at least 2
@proc
def p(n: size, x: f32[n]):
    assert n >= 2
    x[0] = 1.0      # first
    x[n - 1] = 2.0  # second

# proved: above and below the diagonal
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i):
            x[i, j] = 1.0  # first
            x[j, i] = 2.0  # second

# refuted: on the diagonal a cell is its mirror image
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            x[i, j] = 1.0  # first
            x[j, i] = 2.0  # second

# proved: remainders differ
@proc
def p(n: size, x: f32[4]):
    for i in seq(0, n):
        x[i % 2] = 1.0      # first
        x[i % 2 + 2] = 2.0  # second

# refuted: remainders of neighbours may be equal after a wrap
@proc
def p(n: size, x: f32[3]):
    for i in seq(0, n):
        x[i % 3] = 1.0        # first
        x[(i + 1) % 2] = 2.0  # second

# proved: quotients of a number and of one larger by the divisor
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i / 4] = 1.0        # first
        x[(i + 4) / 4] = 2.0  # second

# refuted: quotients of neighbours are mostly equal
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i / 4] = 1.0        # first
        x[(i + 1) / 4] = 2.0  # second

# proved: a number less than the divisor is its own remainder
@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[i] = 1.0          # first
        x[i % 4 + 4] = 2.0  # second

# proved: the remainder of a negative number is not negative
@proc
def p(k: index, x: f32[8]):
    x[k % 4] = 1.0      # first
    x[7 - k % 4] = 2.0  # second

# refuted: the quotient of a negative number is rounded down
@proc
def p(x: f32[3]):
    for i in seq(0, 3):
        x[(i - 1) / 2 + 1] = 1.0  # first
        x[0] += 2.0               # second

# proved: the rows of two iterations ahead
@proc
def p(n: size, m: size, x: f32[n + 2, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = 1.0      # first
            x[i + 2, j] = 2.0  # second

# proved: an index that runs downwards meets another only in the middle, between two cells
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):
        x[i] = 1.0              # first
        x[2 * n - 1 - i] = 2.0  # second

# refuted: an index that runs downwards meets another in the middle cell
@proc
def p(n: size, x: f32[2 * n - 1]):
    for i in seq(0, n):
        x[i] = 1.0              # first
        x[2 * n - 2 - i] = 2.0  # second

# proved: a swap through a buffer of its own touches nothing of the other statement
@proc
def p(x: f32[4], y: f32):
    t: f32
    t = x[0]    # first
    y = x[1]    # second
    x[1] = t

# proved: pass commutes with everything
@proc
def p(x: f32):
    pass     # first
    x = 1.0  # second

# proved: both write one value, whether it is one cell or two
@proc
def p(n: size, x: f32[n], y: f32[n], i: index, j: index):
    assert i >= 0 and i < n and j >= 0 and j < n
    x[i] = y[i] + 1.0  # first
    x[j] = y[j] + 1.0  # second

# refuted: both write to one cell, the values of two
@proc
def p(n: size, x: f32, y: f32[n], i: index, j: index):
    assert i >= 0 and i < n and j >= 0 and j < n
    x = y[i]  # first
    x = y[j]  # second

# refuted: one value, read from a cell that one of them changes
@proc
def p(x: f32[4], y: f32):
    x[0] = y  # first
    for i in seq(0, 2):  # second
        y = 2.0
        x[1] = y

# proved: rows of one value that overlap
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):  # first
        x[i] = 0.0
    for i in seq(0, n):  # second
        x[i + 1] = 0.0

# refuted: values computed from the same cells by two operators
@proc
def p(x: f32, y: f32, z: f32):
    x = y + z  # first
    x = y - z  # second

# refuted: values that differ in their left operands
@proc
def p(x: f32, y: f32):
    x = 1.0 + y  # first
    x = 2.0 + y  # second

# refuted: values that differ in their right operands
@proc
def p(x: f32, y: f32):
    x = y + 1.0  # first
    x = y + 2.0  # second

# proved: one function of one cell, whether it goes to one cell or two
@proc
def p(n: size, x: f32[n], y: f32, i: index, j: index):
    assert i >= 0 and i < n and j >= 0 and j < n
    x[i] = relu(y)  # first
    x[j] = relu(y)  # second

# refuted: two functions of one cell
@proc
def p(x: f32, y: f32):
    x = relu(y)   # first
    x = fabsf(y)  # second

# refuted: one function of a cell and of its double
@proc
def p(x: f32, y: f32):
    x = relu(y)        # first
    x = relu(2.0 * y)  # second

# refuted: both write one value, and the second reads what else the first writes
@proc
def p(x: f32, y: f32, z: f32):
    x = 1.0  # first
    y = 2.0  # first
    x = 1.0  # second
    z = y    # second

# refuted: both write one value, and the first reads what else the second writes
@proc
def p(x: f32, y: f32, z: f32):
    x = 1.0  # first
    z = y    # first
    x = 1.0  # second
    y = 2.0  # second
