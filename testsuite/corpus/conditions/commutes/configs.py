@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    pitch: stride
    scale: f32

# refuted: an index reads the field that is written
@proc
def p(x: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    x[Cfg.a] = 1.0  # first
    Cfg.a = 2       # second

# proved: an index reads another field
@proc
def p(x: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    x[Cfg.a] = 1.0  # first
    Cfg.b = 2       # second

# refuted: a loop bound reads the field that is written
@proc
def p(x: f32[8]):
    assert Cfg.n < 4
    for i in seq(0, Cfg.n):  # first
        x[i] = 1.0
    Cfg.n = 5                # second

# refuted: an allocation's extent reads the field that is written
@proc
def p(y: f32):
    assert Cfg.n > 3
    if True:      # first
        t: f32[Cfg.n]
        t[3] = 1.0
        y = t[3]
    Cfg.n = 2     # second

# refuted: a window's offset reads the field that is written
@proc
def p(x: f32[16]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    a = x[Cfg.a:Cfg.a + 4]  # first
    Cfg.a = 2               # second
    a[0] = 1.0

# proved: a window keeps the offset it was made with
@proc
def p(x: f32[16]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    a = x[Cfg.a:Cfg.a + 4]
    a[0] = 1.0  # first
    Cfg.a = 2   # second

# refuted: a guard reads the field that is written
@proc
def p(x: f32):
    if Cfg.flag:        # first
        x = 1.0
    Cfg.flag = False    # second

# refuted: an argument of a call reads the field that is written
@proc
def put(k: index, x: f32[8]):
    assert 0 <= k
    assert k < 8
    x[k] = 1.0

@proc
def p(x: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    put(Cfg.a, x)  # first
    Cfg.a = 3      # second

# refuted: a callee reads the field that is written
@proc
def put(x: f32[8]):
    if Cfg.flag:
        x[0] = 1.0

@proc
def p(x: f32[8]):
    put(x)          # first
    Cfg.flag = True  # second

# refuted: a callee's assertion reads the field that is written
@proc
def put(k: index, x: f32[8]):
    assert 0 <= k
    assert k < 8
    assert k < Cfg.a
    x[k] = 1.0

@proc
def p(x: f32[8]):
    assert Cfg.a > 2
    put(1, x)  # first
    Cfg.a = 0  # second

# proved: two fields of one class
@proc
def p(x: f32):
    Cfg.a = 1  # first
    Cfg.b = 2  # second

# refuted: two values for one field
@proc
def p(x: f32):
    Cfg.a = 1  # first
    Cfg.a = 2  # second

# refuted: a field is computed from the field that is written
@proc
def p(x: f32):
    Cfg.b = Cfg.a + 1  # first
    Cfg.a = 2          # second

# refuted: a field of data is a place
@proc
def p(x: f32, y: f32):
    Cfg.scale = x  # first
    y = Cfg.scale  # second

# refuted: a field of data keeps the value of the moment
@proc
def p(x: f32):
    Cfg.scale = x  # first
    x = 1.0        # second

# proved: a stride is no read of the buffer
@proc
def p(n: size, x: [f32][n]):
    Cfg.pitch = stride(x, 0)  # first
    x[0] = 1.0                # second

# proved: the index is known although it is a field
@proc
def p(x: f32[8], y: f32):
    Cfg.a = 3
    x[Cfg.a] = 1.0  # first
    y = x[2]        # second

# refuted: the index is known to be the other's
@proc
def p(x: f32[8], y: f32):
    Cfg.a = 3
    x[Cfg.a] = 1.0  # first
    y = x[3]        # second

# proved: both branches leave the field different from the other index
@proc
def p(b: bool, x: f32[8], y: f32):
    if b:
        Cfg.a = 3
    else:
        Cfg.a = 4
    x[Cfg.a] = 1.0  # first
    y = x[5]        # second

# proved: the field is the number of the last iteration
@proc
def p(n: size, x: f32[n + 1], y: f32):
    for i in seq(0, n):
        Cfg.a = i
    x[Cfg.a] = 1.0  # first
    y = x[n]        # second

# refuted: after no iteration the field is what it was
@proc
def p(n: index, x: f32[8], y: f32):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    for i in seq(0, n):
        Cfg.a = 3
    x[Cfg.a] = 1.0  # first
    y = x[2]        # second

# proved: the field that a loop sets again and again to one value
@proc
def p(n: size, x: f32[8], y: f32):
    for i in seq(0, n):
        Cfg.a = 3
    x[Cfg.a] = 1.0  # first
    y = x[2]        # second

# proved: fields of the condition are on one side only
@proc
def p(x: f32, y: f32):
    if Cfg.flag:  # first
        x = 1.0
    y = 2.0       # second

# refuted: a later iteration reads what the statement wrote
@proc
def p(n: size, x: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    for i in seq(0, n):  # first
        x[Cfg.a] = 1.0
        Cfg.a = 0
    x[0] = 2.0           # second

# proved: both set a field to one value
@proc
def p(x: f32, y: f32):
    Cfg.a = 3   # first
    x = 1.0     # first
    Cfg.a = 3   # second
    y = 1.0     # second

# proved: both set a field to one value, and read their own
@proc
def p(k: index, x: f32[8], y: f32[8]):
    assert 0 <= k
    assert k < 8
    Cfg.a = k       # first
    x[Cfg.a] = 1.0  # first
    Cfg.a = k       # second
    y[Cfg.a] = 1.0  # second

# refuted: both set a field to one value, and the first reads it before
@proc
def p(x: f32[8], y: f32[8]):
    assert 0 <= Cfg.a
    assert Cfg.a < 8
    x[Cfg.a] = 1.0  # first
    Cfg.a = 3       # first
    Cfg.a = 3       # second
    y[Cfg.a] = 1.0  # second

# refuted: both set a field from another field, which the second moves
@proc
def p(x: f32):
    Cfg.a = Cfg.b   # first
    Cfg.a = Cfg.b   # second
    Cfg.b = 5       # second

# refuted: both set a field to one value, the second only sometimes
@proc
def p(b: bool, x: f32):
    Cfg.a = 4       # first
    if b:           # second
        Cfg.a = 3
    else:
        Cfg.a = 4

# refuted: the value of the first iteration is one, that of the others is not
@proc
def p(x: f32[2], y: f32):
    Cfg.a = 0
    y = x[0]             # first
    for i in seq(0, 2):  # second
        y = x[Cfg.a]
        Cfg.a = 1
