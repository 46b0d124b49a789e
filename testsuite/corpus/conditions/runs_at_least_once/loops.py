@config
class Cfg:
    a: index
    n: size

# proved: up to a size
@proc
def p(n: size, x: f32):
    for i in seq(0, n):  # here
        x = 1.0

# refuted: up to an index
@proc
def p(n: index, x: f32):
    for i in seq(0, n):  # here
        x = 1.0

# proved: up to a positive number
@proc
def p(x: f32):
    for i in seq(3, 4):  # here
        x = 1.0

# refuted: from a number to itself
@proc
def p(x: f32):
    for i in seq(4, 4):  # here
        x = 1.0

# refuted: the first row of a triangle without its diagonal
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i):  # here
            x[i, j] = 1.0

# proved: every row of a triangle with its diagonal
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):  # here
            x[i, j] = 1.0

# proved: every row of a triangle without its diagonal, but for the first
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(1, n):
        for j in seq(0, i):  # here
            x[i, j] = 1.0

# proved: rows above the diagonal, but for the last
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n - 1):
        for j in seq(i + 1, n):  # here
            x[i, j] = 1.0

# refuted: the last row above the diagonal
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(i + 1, n):  # here
            x[i, j] = 1.0

# proved: a guard above
@proc
def p(n: index, m: index, x: f32):
    if n < m:
        for i in seq(n, m):  # here
            x = 1.0

# refuted: a guard that allows equality
@proc
def p(n: index, m: index, x: f32):
    if n <= m:
        for i in seq(n, m):  # here
            x = 1.0

# proved: an else branch
@proc
def p(n: index, x: f32):
    if n <= 3:
        pass
    else:
        for i in seq(3, n):  # here
            x = 1.0

# proved: a quotient rounded up
@proc
def p(n: size, x: f32):
    for i in seq(0, (n + 15) / 16):  # here
        x = 1.0

# refuted: a quotient rounded down
@proc
def p(n: size, x: f32):
    for i in seq(0, n / 16):  # here
        x = 1.0

# proved: an assertion that the quotient is not zero
@proc
def p(n: size, x: f32):
    assert n >= 16
    for i in seq(0, n / 16):  # here
        x = 1.0

# refuted: a remainder may be zero
@proc
def p(n: size, x: f32):
    for i in seq(0, n % 4):  # here
        x = 1.0

# proved: a remainder of an odd number
@proc
def p(n: size, x: f32):
    assert n % 4 == 3
    for i in seq(0, n % 2):  # here
        x = 1.0


# proved: a field of type size is at least 1
@proc
def p(x: f32):
    for i in seq(0, Cfg.n):  # here
        x = 1.0

# refuted: a field of type index
@proc
def p(x: f32):
    for i in seq(0, Cfg.a):  # here
        x = 1.0

# proved: a field that was set
@proc
def p(n: size, x: f32):
    Cfg.a = n + 1
    for i in seq(1, Cfg.a):  # here
        x = 1.0

# refuted: a field that a loop of unknown length sets
@proc
def p(n: index, x: f32):
    Cfg.a = 0
    for k in seq(0, n):
        Cfg.a = 4
    for i in seq(0, Cfg.a):  # here
        x = 1.0
