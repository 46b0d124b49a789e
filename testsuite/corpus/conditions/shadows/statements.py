@config
class Cfg:
    a: index
    flag: bool

# proved: a write goes before a write of the same cell
@proc
def p(x: f32):
    x = 1.0  # first
    x = 2.0  # second

# refuted: a reduction needs the value before
@proc
def p(x: f32):
    x = 1.0   # first
    x += 2.0  # second

# proved: a reduction goes before a write
@proc
def p(x: f32):
    x += 1.0  # first
    x = 2.0   # second

# refuted: the second reads what it overwrites
@proc
def p(x: f32):
    x = 1.0    # first
    x = x + x  # second

# refuted: another cell is written
@proc
def p(x: f32[2]):
    x[0] = 1.0  # first
    x[1] = 2.0  # second

# refuted: the second write may not happen
@proc
def p(b: bool, x: f32):
    x = 1.0  # first
    if b:    # second
        x = 2.0

# proved: both branches write
@proc
def p(b: bool, x: f32):
    x = 1.0  # first
    if b:    # second
        x = 2.0
    else:
        x = 3.0

# proved: the second runs whenever the first does
@proc
def p(n: size, x: f32):
    if n > 4:  # first
        x = 1.0
    if n > 2:  # second
        x = 2.0

# refuted: the second does not run for one size
@proc
def p(n: size, x: f32):
    if n > 2:  # first
        x = 1.0
    if n > 3:  # second
        x = 2.0

# refuted: one branch reads before it writes
@proc
def p(b: bool, x: f32, y: f32):
    x = 1.0  # first
    if b:    # second
        y = x
        x = 2.0
    else:
        x = 3.0

# proved: a read after the write is of the new value
@proc
def p(x: f32, y: f32):
    x = 1.0  # first
    x = 2.0  # second
    y = x    # second

# refuted: a read before the write is of the old value
@proc
def p(x: f32, y: f32):
    x = 1.0  # first
    y = x    # second
    x = 2.0  # second

# proved: a loop writes the cell among others
@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0           # first
    for i in seq(0, n):  # second
        x[i] = 2.0

# refuted: the loop begins one later
@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0           # first
    for i in seq(1, n):  # second
        x[i] = 2.0

# refuted: the loop may have no iterations
@proc
def p(n: index, x: f32):
    x = 1.0              # first
    for i in seq(0, n):  # second
        x = 2.0

# proved: a loop that runs at least once, by a guard
@proc
def p(n: index, x: f32):
    if n > 0:
        x = 1.0              # first
        for i in seq(0, n):  # second
            x = 2.0

# proved: all cells, upwards and downwards
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # first
        x[i] = 1.0
    for i in seq(0, n):  # second
        x[n - 1 - i] = 2.0

# proved: all cells, in tiles of a size that divides
@proc
def p(n: size, x: f32[n]):
    assert n % 8 == 0
    for i in seq(0, n):          # first
        x[i] = 1.0
    for io in seq(0, n / 8):     # second
        for ii in seq(0, 8):
            x[8 * io + ii] = 2.0

# refuted: tiles leave the tail
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):          # first
        x[i] = 1.0
    for io in seq(0, n / 8):     # second
        for ii in seq(0, 8):
            x[8 * io + ii] = 2.0

# proved: tiles rounded up, guarded
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):             # first
        x[i] = 1.0
    for io in seq(0, (n + 7) / 8):  # second
        for ii in seq(0, 8):
            if 8 * io + ii < n:
                x[8 * io + ii] = 2.0

# refuted: every other cell is left
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, 2 * n):  # first
        x[i] = 1.0
    for i in seq(0, n):      # second
        x[2 * i] = 2.0

# proved: even and odd cells together are all cells
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, 2 * n):  # first
        x[i] = 1.0
    for i in seq(0, n):      # second
        x[2 * i] = 2.0
    for i in seq(0, n):      # second
        x[2 * i + 1] = 3.0

# proved: even cells by a loop over every cell with a guard
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):      # first
        x[2 * i] = 1.0
    for i in seq(0, 2 * n):  # second
        if i % 2 == 0:
            x[i] = 2.0

# proved: a triangle within a square
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):      # first
        for j in seq(0, i):
            x[i, j] = 1.0
    for i in seq(0, n):      # second
        for j in seq(0, n):
            x[i, j] = 2.0

# refuted: a square is more than a triangle
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):      # first
        for j in seq(0, n):
            x[i, j] = 1.0
    for i in seq(0, n):      # second
        for j in seq(0, i + 1):
            x[i, j] = 2.0

# refuted: a shifted copy reads the cell before it is overwritten
@proc
def p(n: size, x: f32[n + 1]):
    x[n] = 1.0           # first
    for i in seq(0, n):  # second
        x[i] = x[i + 1]
    x[n] = 2.0           # second

# proved: the write through a window is a write of its buffer
@proc
def p(x: f32[8]):
    x[3] = 1.0   # first
    a = x[2:5]   # second
    a[1] = 2.0   # second

# refuted: the window shows a neighbour
@proc
def p(x: f32[8]):
    x[3] = 1.0   # first
    a = x[2:5]   # second
    a[2] = 2.0   # second

# proved: a call that overwrites the whole buffer
@proc
def zero(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            x[i, j] = 1.0  # first
            zero(n, x[i, :])  # second

# refuted: a call that overwrites another column
@proc
def zero(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            x[i, j] = 1.0     # first
            zero(n, x[:, i])  # second

# proved: a field is set twice
@proc
def p(x: f32):
    Cfg.a = 1  # first
    Cfg.a = 2  # second

# refuted: the field decides where the second writes
@proc
def p(x: f32[8]):
    Cfg.a = 1       # first
    x[Cfg.a] = 2.0  # second
    Cfg.a = 2       # second

# refuted: the field decides how often the second's loop runs
@proc
def p(x: f32[8]):
    assert Cfg.a < 8
    Cfg.a = 1                # first
    for i in seq(0, Cfg.a):  # second
        x[i] = 2.0
    Cfg.a = 2                # second

# refuted (scope): the buffer is needed afterwards
@proc
def p(x: f32):
    t: f32   # first
    x = 2.0  # second
    t = 3.0
    x = t

# proved: a buffer that no one uses may go
@proc
def p(x: f32):
    t: f32   # first
    x = 2.0  # second

# proved: a write to a buffer that ends is not seen: pass may go before anything
@proc
def p(x: f32):
    pass     # first
    x = 2.0  # second

# refuted: a write of a cell that the second's window does not reach when the size is 1
@proc
def p(n: size, x: f32[n + 1]):
    x[1] = 1.0           # first
    for i in seq(0, n):  # second
        x[i] = 2.0

# proved: the cell is a remainder of the index
@proc
def p(k: index, x: f32[4]):
    x[k % 4] = 1.0              # first
    x[k - 4 * (k / 4)] = 2.0    # second

# proved: par loops overwrite as sequential ones do
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):  # first
        x[i] = 1.0
    for i in par(0, n):  # second
        x[i] = 2.0

# refuted: a field that was counted up decides whether the second happens
@proc
def p(n: size, x: f32):
    Cfg.a = 0
    for i in seq(0, n):
        Cfg.a = Cfg.a + 1
    x = 1.0          # first
    if Cfg.a == 2:   # second
        x = 2.0

# proved: a cell that is passed to a callee is not read for that
@proc
def zero(x: f32):
    x = 0.0

@proc
def p(x: f32[4]):
    x[1] = 1.0  # first
    zero(x[1])  # second
