@config
class Cfg:
    a: index
    flag: bool
    scale: f32

# proved: a buffer of the procedure ends unread
@proc
def p(x: f32):
    t: f32
    t = x  # here

# refuted: an argument outlives the procedure
@proc
def p(x: f32):
    x = 1.0  # here

# proved: an argument that is overwritten
@proc
def p(x: f32):
    x = 1.0  # here
    x = 2.0

# refuted: an argument that may be overwritten
@proc
def p(b: bool, x: f32):
    x = 1.0  # here
    if b:
        x = 2.0

# proved: an argument that both branches overwrite
@proc
def p(b: bool, x: f32):
    x = 1.0  # here
    if b:
        x = 2.0
    else:
        x = 3.0

# refuted: a buffer that is read
@proc
def p(x: f32):
    t: f32
    t = x + 1.0  # here
    x = t

# refuted: a buffer that is added to, and read
@proc
def p(x: f32):
    t: f32
    t = x + 1.0  # here
    t += 1.0
    x = t

# proved: a buffer that is overwritten before it is read
@proc
def p(x: f32):
    t: f32
    t = x  # here
    t = 1.0
    x = t

# refuted: the next iteration reads it
@proc
def p(n: size, x: f32[n]):
    t: f32
    t = 0.0
    for i in seq(0, n):
        x[i] = t
        t = 1.0 + x[i]  # here

# proved: the next iteration overwrites it first
@proc
def p(n: size, x: f32[n]):
    t: f32
    for i in seq(0, n):
        t = 1.0
        x[i] = t
        t = x[i]  # here

# proved: no iteration follows the guarded one
@proc
def p(n: size, x: f32[n]):
    t: f32
    t = 0.0
    for i in seq(0, n):
        x[i] = t
        if i == n - 1:
            t = 1.0  # here

# refuted: an iteration follows the guarded one
@proc
def p(n: size, x: f32[n]):
    t: f32
    t = 0.0
    for i in seq(0, n):
        x[i] = t
        if i == 0:
            t = 1.0  # here

# proved: each iteration has its own buffer
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = 2.0
        x[i] = t
        t = 1.0  # here

# refuted: a window of it is read
@proc
def p(y: f32):
    t: f32[4]
    for i in seq(0, 4):
        t[i] = 0.0
    a = t[1:3]
    t[2] = 5.0  # here
    y = a[1]

# proved: the rest of the buffer is dead, through a window
@proc
def p(x: f32[4], y: f32):
    a = x[1:3]
    a[1] = 5.0  # here
    a[0] = 1.0
    a[1] = 2.0
    y = a[0]

# refuted: a call reads it
@proc
def get(y: f32, x: [f32][4]):
    y = x[2]

@proc
def p(y: f32):
    t: f32[4]
    t[2] = 5.0  # here
    get(y, t[0:4])

# proved: a call overwrites it
@proc
def put(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 1.0

@proc
def p(y: f32):
    t: f32[4]
    t[2] = 5.0  # here
    put(t[0:4])
    y = t[2]

# refuted: the write lies in a branch that a field may not take
@proc
def p(x: f32):
    x = 1.0  # here
    Cfg.flag = False
    if Cfg.flag:
        x = 2.0

# proved: the branch is known although a field decides
@proc
def p(x: f32):
    Cfg.flag = True
    x = 1.0  # here
    if Cfg.flag:
        x = 2.0

# refuted: the guard around the place was true, and the flag is off by the time of the overwrite
@proc
def p(x: f32):
    if Cfg.flag:
        x = 1.0  # here
        Cfg.flag = False
        if Cfg.flag:
            x = 2.0

# proved: a loop overwrites all cells
@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0  # here
    for i in seq(0, n):
        x[i] = 2.0

# refuted: a loop overwrites all cells but the first
@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0  # here
    for i in seq(1, n):
        x[i] = 2.0

# refuted: kept in a field of data
@proc
def p(x: f32):
    t: f32
    t = x + 1.0  # here
    Cfg.scale = t

# proved: an inner buffer of the same name is read
@proc
def p(x: f32):
    t: f32
    t = x  # here
    if True:
        t: f32
        t = 2.0
        x = t

# refuted: the guard around the place was true, and the flag is off after the guard
@proc
def p(x: f32):
    if Cfg.flag:
        x = 1.0  # here
        Cfg.flag = False
    if Cfg.flag:
        x = 2.0
