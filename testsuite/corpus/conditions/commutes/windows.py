# proved: the two halves of a buffer
@proc
def p(n: size, x: f32[2 * n]):
    a = x[0:n]
    b = x[n:2 * n]
    for i in seq(0, n):
        for j in seq(0, n):
            a[i] = 1.0  # first
            b[j] = 2.0  # second

# refuted: two windows that overlap by one
@proc
def p(n: size, x: f32[2 * n]):
    a = x[0:n]
    b = x[n - 1:2 * n]
    for i in seq(0, n):
        for j in seq(0, n):
            a[i] = 1.0  # first
            b[j] = 2.0  # second

# refuted: a window is another name for its buffer
@proc
def p(x: f32[8]):
    a = x[2:5]
    a[1] = 1.0  # first
    x[3] = 2.0  # second

# proved: a window does not show what is outside of it
@proc
def p(x: f32[8]):
    a = x[2:5]
    for i in seq(0, 3):
        a[i] = 1.0  # first
        x[5] = 2.0  # second

# proved: a window of a window adds both offsets
@proc
def p(x: f32[8]):
    a = x[2:8]
    b = a[3:6]
    b[0] = 1.0  # first
    x[2] = 2.0  # second

# refuted: a window of a window reaches the cell of the sum
@proc
def p(x: f32[8]):
    a = x[2:8]
    b = a[3:6]
    b[0] = 1.0  # first
    x[5] = 2.0  # second

# proved: two rows through windows of rank 1
@proc
def p(n: size, m: size, x: f32[n + 1, m]):
    for i in seq(0, n):
        a = x[i, :]
        b = x[i + 1, :]
        for j in seq(0, m):
            a[j] = 1.0  # first
            b[j] = 2.0  # second

# refuted: a row and a column cross
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        a = x[i, :]
        b = x[:, i]
        for j in seq(0, n):
            a[j] = 1.0  # first
            b[j] = 2.0  # second

# proved: lower and upper tile of a blocked buffer
@proc
def p(n: size, x: f32[8 * n]):
    for t in seq(0, n):
        a = x[8 * t:8 * t + 4]
        b = x[8 * t + 4:8 * t + 8]
        for j in seq(0, 4):
            a[j] = 1.0  # first
            b[j] = 2.0  # second

# refuted: tiles that are one too long
@proc
def p(n: size, x: f32[8 * n]):
    for t in seq(0, n):
        a = x[8 * t:8 * t + 5]
        b = x[8 * t + 4:8 * t + 8]
        for k in seq(0, 4):
            a[k + 1] = 1.0  # first
            b[0] = 2.0      # second

# refuted: a window of rank 0 is a cell
@proc
def p(x: f32[4], y: f32):
    a: [f32] = x[2]
    a = 1.0   # first
    y = x[2]  # second

# proved: a window of rank 0 is one cell only
@proc
def p(x: f32[4], y: f32):
    a: [f32] = x[2]
    a = 1.0   # first
    y = x[1]  # second

# proved: two windows that are arguments show different buffers
@proc
def p(n: size, a: [f32][n], b: [f32][n]):
    for i in seq(0, n):
        a[i] = 1.0   # first
        b[0] = 2.0   # second

# proved: a window made by a guard's branch does not matter after it
@proc
def p(n: size, x: f32[2 * n]):
    if n > 2:
        a = x[0:n]
        a[1] = 3.0   # first
        x[n] = 1.0   # second

# proved: strips of a transposed use, column by column
@proc
def p(n: size, x: f32[n, 4]):
    a = x[:, 1]
    b = x[:, 2]
    for i in seq(0, n):
        for j in seq(0, n):
            a[i] = 1.0  # first
            b[j] = 2.0  # second

# refuted (scope): a window is not made after its use
@proc
def p(x: f32[8]):
    a = x[2:5]  # first
    a[0] = 1.0  # second

# proved: making a window touches no cell
@proc
def p(x: f32[8]):
    a = x[2:5]  # first
    x[3] = 1.0  # second
    a[0] = 2.0

# proved: windows at symbolic offsets that are a width apart
@proc
def p(k: size, w: size, x: f32[k + 2 * w]):
    a = x[k:k + w]
    b = x[k + w:k + 2 * w]
    for i in seq(0, w):
        for j in seq(0, w):
            a[i] = 1.0   # first
            b[j] += 1.0  # second
