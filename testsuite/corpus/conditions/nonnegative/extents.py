@config
class Cfg:
    a: index
    n: size

# proved: a size less one
@proc
def p(n: size, x: f32):
    t: f32[n - 1]  # here

# refuted: a size less two
@proc
def p(n: size, x: f32):
    for i in seq(0, n - 2):  # here
        pass

# proved: a size less two, when it is at least two
@proc
def p(n: size, x: f32):
    if n > 1:
        t: f32[n - 2]  # here

# proved: a loop variable
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        t: f32[i]  # here

# refuted: a loop variable that begins below
@proc
def p(n: size, x: f32):
    for i in seq(-1, n):
        for j in seq(0, i):  # here
            pass

# proved: what is left after this iteration
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        t: f32[n - i - 1]  # here

# refuted: what is left after the next
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        for j in seq(0, n - i - 2):  # here
            pass

# proved: a quotient rounded down
@proc
def p(n: size, x: f32):
    t: f32[n / 4]  # here

# refuted: a quotient rounded down, less one
@proc
def p(n: size, x: f32):
    for i in seq(0, n / 4 - 1):  # here
        pass

# refuted: an index
@proc
def p(n: size, k: index, x: f32):
    for i in seq(0, k):  # here
        pass

# proved: an index as asserted
@proc
def p(n: size, k: index, x: f32):
    assert k >= 0
    t: f32[k]  # here

# refuted: a field of indices
@proc
def p(n: size, x: f32):
    for i in seq(0, Cfg.a):  # here
        pass

# proved: a field of sizes less one
@proc
def p(n: size, x: f32):
    t: f32[Cfg.n - 1]  # here

# proved: a field as it was given a value
@proc
def p(n: size, x: f32):
    Cfg.a = n - 1
    t: f32[Cfg.a]  # here

# refuted: a field as it was given a lower value
@proc
def p(n: size, x: f32):
    Cfg.a = n - 2
    for i in seq(0, Cfg.a):  # here
        pass
