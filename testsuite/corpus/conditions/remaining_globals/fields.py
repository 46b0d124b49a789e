@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# proved: it is overwritten
@proc
def p(x: f32):
    Cfg.a = 1  # here
    Cfg.a = 2

# refuted: nothing follows
@proc
def p(x: f32):
    Cfg.a = 1  # here

# refuted: it may be overwritten
@proc
def p(b: bool, x: f32):
    Cfg.a = 1  # here
    if b:
        Cfg.a = 2

# proved: both branches overwrite it
@proc
def p(b: bool, x: f32):
    Cfg.a = 1  # here
    if b:
        Cfg.a = 2
    else:
        Cfg.a = 3

# refuted: a loop without iterations would overwrite it
@proc
def p(n: index, x: f32):
    Cfg.a = 1  # here
    for i in seq(0, n):
        Cfg.a = i

# proved: a loop overwrites it at least once
@proc
def p(n: size, x: f32):
    Cfg.a = 1  # here
    for i in seq(0, n):
        Cfg.a = i

# proved: the next iteration overwrites it, and there is one
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        Cfg.a = 2
        if i < n - 1:
            Cfg.a = 3  # here

# refuted: the next iteration overwrites it, and there is none after the last
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        Cfg.a = 2
        Cfg.a = 3  # here

# proved: the guard around it holds again
@proc
def p(n: size, x: f32):
    if n > 3:
        Cfg.a = 3  # here
    if n > 2:
        Cfg.a = 2

# refuted: the guard around it holds more often than the later one
@proc
def p(n: size, x: f32):
    if n > 3:
        Cfg.a = 3  # here
    if n > 4:
        Cfg.a = 2

# refuted: another field is overwritten
@proc
def p(x: f32):
    Cfg.a = 1  # here
    Cfg.b = 2

# proved: a callee overwrites it
@proc
def set(x: f32):
    Cfg.a = 5
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 1  # here
    set(x)

# refuted: a callee overwrites it in one case
@proc
def set(n: size, x: f32):
    if n > 7:
        Cfg.a = 5
    x = 1.0

@proc
def p(n: size, x: f32):
    Cfg.a = 1  # here
    set(n, x)

# proved: a callee overwrites it in the case at hand
@proc
def set(n: size, x: f32):
    if n > 7:
        Cfg.a = 5
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 1  # here
    set(8, x)

# proved: data in a field
@proc
def p(x: f32):
    Cfg.scale = x  # here
    Cfg.scale = 1.0

# refuted: data in a field, nothing follows
@proc
def p(x: f32):
    Cfg.scale = x  # here

# proved: a flag that itself decides is overwritten either way
@proc
def p(b: bool, x: f32):
    Cfg.flag = b  # here
    if b:
        Cfg.flag = False
    else:
        Cfg.flag = True

# refuted: the branch is known not to be taken
@proc
def p(x: f32):
    Cfg.b = 3
    Cfg.a = 1  # here
    if Cfg.b == 4:
        Cfg.a = 2

# proved: the branch is known to be taken
@proc
def p(x: f32):
    Cfg.b = 3
    Cfg.a = 1  # here
    if Cfg.b == 3:
        Cfg.a = 2
