@config
class Cfg:
    a: index
    b: index
    flag: bool
    scale: f32

# proved: a constant is assigned
@proc
def p(x: f32):
    x = 1.0  # here

# refuted: a reduction adds again
@proc
def p(x: f32, y: f32):
    x += y  # here

# refuted: the cell depends on itself
@proc
def p(x: f32, y: f32):
    x = x * 2.0 + y  # here

# proved: a copy from elsewhere
@proc
def p(x: f32, y: f32):
    x = y  # here

# proved: the second statement reads what the first has just written
@proc
def p(x: f32, y: f32):
    x = 1.0  # here
    y = x    # here

# refuted: a swap
@proc
def p(x: f32, y: f32):
    t: f32
    t = x  # here
    x = y  # here
    y = t  # here

# refuted: the source is overwritten
@proc
def p(x: f32, y: f32):
    x = y    # here
    y = 2.0  # here

# proved: an accumulation that begins with a write
@proc
def p(n: size, s: f32, x: f32[n]):
    s = 0.0              # here
    for i in seq(0, n):  # here
        s += x[i]

# refuted: an accumulation alone
@proc
def p(n: size, s: f32, x: f32[n]):
    for i in seq(0, n):  # here
        s += x[i]

# proved: a buffer of its own is made anew
@proc
def p(x: f32, y: f32):
    if True:  # here
        t: f32
        t = y
        t += 1.0
        x = t

# refuted: a shift reads cells that it writes
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):  # here
        x[i] = x[i + 1]

# proved: from the upper half to the lower
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):  # here
        x[i] = x[i + n]

# refuted: halves that overlap by one
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):  # here
        x[i] = x[i + n - 1] + 1.0

# proved: from odd to even cells
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):  # here
        x[2 * i] = x[2 * i + 1]

# proved: a guard that excludes the write
@proc
def p(n: size, x: f32):
    if n < 1:     # here
        x += 1.0

# refuted: a guard that may let it happen
@proc
def p(n: size, x: f32):
    if n < 2:     # here
        x += 1.0

# proved: a field is set to a constant
@proc
def p(x: f32):
    Cfg.a = 3  # here

# refuted: a field counts
@proc
def p(x: f32):
    Cfg.a = Cfg.a + 1  # here

# refuted: the field moves the write on
@proc
def p(x: f32[9]):
    assert 0 <= Cfg.a
    assert Cfg.a < 3
    x[Cfg.a] = 1.0     # here
    Cfg.a = 2 * Cfg.a + 1  # here

# proved: the field is set before it is used
@proc
def p(x: f32[9]):
    Cfg.a = 3          # here
    x[Cfg.a] = 1.0     # here

# refuted: the flag that guards is turned off
@proc
def p(x: f32):
    if Cfg.flag:          # here
        x = 1.0
        Cfg.flag = False
    else:
        x = 2.0

# proved: data in a field is copied there and from there
@proc
def p(x: f32, y: f32):
    Cfg.scale = x  # here
    y = Cfg.scale  # here

# refuted: data in a field is copied from there and there
@proc
def p(x: f32, y: f32):
    y = Cfg.scale  # here
    Cfg.scale = x  # here

# refuted: a window that is the source as well
@proc
def p(x: f32[8]):
    a = x[2:6]
    x[3] = a[1] + 1.0  # here

# proved: a window beside the source
@proc
def p(x: f32[8]):
    a = x[2:6]
    x[3] = a[2] + 1.0  # here

# proved: a call that overwrites
@proc
def copy(n: size, dst: [f32][n], src: [f32][n]):
    for i in seq(0, n):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[2 * n]):
    copy(n, x[0:n], x[n:2 * n])  # here

# refuted: a call that accumulates
@proc
def add(n: size, dst: [f32][n], src: [f32][n]):
    for i in seq(0, n):
        dst[i] += src[i]

@proc
def p(n: size, x: f32[2 * n]):
    add(n, x[0:n], x[n:2 * n])  # here

# proved: pass
@proc
def p(x: f32):
    pass  # here

# proved: a loop over no iterations
@proc
def p(x: f32):
    for i in seq(4, 3):  # here
        x += 1.0

# refuted: a loop over one iteration
@proc
def p(x: f32):
    for i in seq(3, 4):  # here
        x += 1.0
