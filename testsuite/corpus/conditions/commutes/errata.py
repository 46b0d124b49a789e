@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# refuted: [E-1] an else branch has effects of its own
@proc
def p(x: f32):
    if Cfg.flag:  # first
        Cfg.flag = False
    else:
        x = 1.0
    x = 2.0       # second

# proved: [E-2] the buffers of a procedure are not seen by its callers
@proc
def twice(y: f32):
    t: f32
    t = y
    y = t + t

@proc
def p(x: f32, y: f32):
    twice(x)  # first
    twice(y)  # second

# refuted: [E-7] a window stays where it was made
@proc
def p(x: f32[8]):
    Cfg.a = 4
    w = x[Cfg.a:Cfg.a + 4]
    Cfg.a = 0
    w[0] = 1.0  # first
    x[4] = 2.0  # second

# refuted: [E-8] a cell that is reduced and then written is written
@proc
def p(x: f32, y: f32):
    x += 1.0  # first
    x = 2.0   # first
    y = x     # second

# refuted: [E-10] a destination's index reads a field
@proc
def p(x: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    x[Cfg.a] = 1.0  # first
    Cfg.a = 2       # second

# refuted: [E-12] the right-hand side of a field of data reads cells
@proc
def p(a: f32[4]):
    Cfg.scale = a[0]  # first
    a[0] = 2.0        # second

# refuted (scope): [E-15] effects say nothing of names
@proc
def p(x: f32):
    t: f32   # first
    t = 1.0  # second
    x = t

# proved: [E-31] both set a field alike, and read their own
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.a = 3       # first
    x[Cfg.a] = 1.0  # first
    Cfg.a = 3       # second
    y[Cfg.a] = 1.0  # second

# proved: [E-31] both set a field alike, if they set it at all
@proc
def p(n: index, x: f32[8], y: f32[8]):
    assert 0 <= n and n <= 8
    for i in seq(0, n):  # first
        Cfg.a = 3
        x[i] = 1.0
    for i in seq(0, n):  # second
        Cfg.a = 3
        y[i] = 1.0

# refuted: [E-31] both set a field if they run, one of them to the number of its last iteration
@proc
def p(n: index, x: f32[8], y: f32[8]):
    assert 0 <= n and n <= 8
    for i in seq(0, n):  # first
        Cfg.a = i
        x[i] = 1.0
    for i in seq(0, n):  # second
        Cfg.a = 3
        y[i] = 1.0
