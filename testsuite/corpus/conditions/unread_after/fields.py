@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32
    pitch: stride

# proved: nothing follows
@proc
def p(x: f32):
    Cfg.a = 1  # here

# refuted: an index reads it
@proc
def p(x: f32[8]):
    Cfg.a = 1  # here
    x[Cfg.a] = 1.0

# proved: it is overwritten first
@proc
def p(x: f32[8]):
    Cfg.a = 1  # here
    Cfg.a = 2
    x[Cfg.a] = 1.0

# refuted: it may be overwritten first
@proc
def p(b: bool, x: f32[8]):
    Cfg.a = 1  # here
    if b:
        Cfg.a = 2
    x[Cfg.a] = 1.0

# refuted: it is overwritten from itself
@proc
def p(x: f32[16]):
    Cfg.a = 1  # here
    Cfg.b = Cfg.a + 1

# proved: another field is read
@proc
def p(x: f32[8]):
    Cfg.b = 3
    Cfg.a = 1  # here
    x[Cfg.b] = 1.0

# refuted: a loop bound reads it
@proc
def p(x: f32[8]):
    Cfg.n = 4  # here
    for i in seq(0, Cfg.n):
        x[i] = 1.0

# refuted: a guard reads it
@proc
def p(x: f32):
    Cfg.flag = True  # here
    if Cfg.flag:
        x = 1.0

# refuted: an extent reads it
@proc
def p(y: f32):
    Cfg.n = 4  # here
    t: f32[Cfg.n]
    t[3] = 1.0
    y = t[3]

# refuted: the offset of a window reads it
@proc
def p(x: f32[16]):
    Cfg.a = 4  # here
    w = x[Cfg.a:Cfg.a + 4]
    w[0] = 1.0

# proved: a window made before keeps its offset
@proc
def p(x: f32[16]):
    Cfg.a = 4
    w = x[Cfg.a:Cfg.a + 4]
    Cfg.a = 0  # here
    w[0] = 1.0

# refuted: a callee reads it
@proc
def put(x: f32[8]):
    if Cfg.flag:
        x[0] = 1.0

@proc
def p(x: f32[8]):
    Cfg.flag = True  # here
    put(x)

# refuted: the assertion of a callee reads it
@proc
def put(x: f32[8]):
    assert Cfg.a == 3
    x[0] = 1.0

@proc
def p(x: f32[8]):
    Cfg.a = 3  # here
    put(x)

# proved: a callee overwrites it first
@proc
def put(x: f32[8]):
    Cfg.flag = False
    if Cfg.flag:
        x[0] = 1.0

@proc
def p(x: f32[8]):
    Cfg.flag = True  # here
    put(x)

# refuted: the next iteration reads it
@proc
def p(n: size, x: f32[8]):
    Cfg.a = 0
    for i in seq(0, n):
        x[Cfg.a] += 1.0
        Cfg.a = 3  # here

# proved: the next iteration overwrites it
@proc
def p(n: size, x: f32[8]):
    for i in seq(0, n):
        Cfg.a = 0
        x[Cfg.a] += 1.0
        Cfg.a = 3  # here

# proved: the last iteration, by a guard
@proc
def p(n: size, x: f32[8]):
    Cfg.a = 0
    for i in seq(0, n):
        x[Cfg.a] += 1.0
        if i == n - 1:
            Cfg.a = 3  # here

# refuted: the bound of the enclosing loop's inner loop
@proc
def p(n: size, x: f32[8]):
    Cfg.n = 2
    for i in seq(0, n):
        for j in seq(0, Cfg.n):
            x[j] += 1.0
            Cfg.n = 3  # here

# proved: the bound of the enclosing loop was evaluated
@proc
def p(x: f32[8]):
    Cfg.n = 2
    for i in seq(0, Cfg.n):
        x[i] += 1.0
        Cfg.n = 3  # here

# proved: it is read in a branch that is not taken
@proc
def p(n: size, x: f32[8]):
    Cfg.a = 3  # here
    if n < 1:
        x[Cfg.a] = 1.0

# refuted: data in a field is read
@proc
def p(x: f32, y: f32):
    Cfg.scale = x  # here
    y = Cfg.scale

# proved: data in a field is overwritten
@proc
def p(x: f32, y: f32):
    Cfg.scale = x  # here
    Cfg.scale = 1.0
    y = Cfg.scale

# proved: the else branch of a guard around it reads it
@proc
def p(b: bool, x: f32[8]):
    if b:
        Cfg.a = 3  # here
    else:
        Cfg.a = 2
        x[Cfg.a] = 1.0

# proved: what follows in the other case reads it
@proc
def p(n: size, x: f32[8]):
    Cfg.a = 1
    if n > 3:
        Cfg.a = 3  # here
    if n < 2:
        x[Cfg.a] = 1.0

# refuted: it is read if another field has been counted up to a number
@proc
def p(n: size, x: f32[8]):
    Cfg.b = 0
    for i in seq(0, n):
        Cfg.b = Cfg.b + 1
    Cfg.a = 3  # here
    if Cfg.b == 2:
        x[Cfg.a] = 1.0
