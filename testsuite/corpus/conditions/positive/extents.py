@config
class Cfg:
    a: index
    n: size

# proved: a size
@proc
def p(n: size, x: f32):
    t: f32[n]  # here

# refuted: a size less one
@proc
def p(n: size, x: f32):
    for i in seq(0, n - 1):  # here
        pass

# proved: a size less one, when it is at least two
@proc
def p(n: size, x: f32):
    if n > 1:
        t: f32[n - 1]  # here

# refuted: a size less one, in the other branch
@proc
def p(n: size, x: f32):
    if n > 1:
        pass
    else:
        for i in seq(0, n - 1):  # here
            pass

# proved: a loop variable and one
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        t: f32[i + 1]  # here

# refuted: a loop variable
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        for j in seq(0, i):  # here
            pass

# proved: what is left of a loop
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        t: f32[n - i]  # here

# refuted: what is left after this iteration
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        for j in seq(0, n - i - 1):  # here
            pass

# proved: a quotient rounded up
@proc
def p(n: size, x: f32):
    t: f32[(n + 7) / 8]  # here

# refuted: a quotient rounded down
@proc
def p(n: size, x: f32):
    for i in seq(0, n / 8):  # here
        pass

# proved: a quotient of a multiple
@proc
def p(n: size, x: f32):
    assert n % 8 == 0
    t: f32[n / 8]  # here

# refuted: a remainder
@proc
def p(n: size, x: f32):
    for i in seq(0, n % 8):  # here
        pass

# proved: a remainder and one
@proc
def p(k: index, x: f32):
    t: f32[k % 8 + 1]  # here

# proved: a field of type size
@proc
def p(x: f32):
    t: f32[Cfg.n]  # here

# refuted: a field of type index
@proc
def p(x: f32):
    for i in seq(0, Cfg.a):  # here
        pass

# proved: a difference that an assertion orders
@proc
def p(n: index, m: index, x: f32):
    assert n < m
    t: f32[m - n]  # here

# refuted: a difference that an assertion orders weakly
@proc
def p(n: index, m: index, x: f32):
    assert n <= m
    for i in seq(0, m - n):  # here
        pass

# proved: a field that was set in both branches
@proc
def p(b: bool, n: size, x: f32):
    if b:
        Cfg.a = n
    else:
        Cfg.a = 2
    t: f32[Cfg.a]  # here

# refuted: a field that was set in one branch
@proc
def p(b: bool, n: size, x: f32):
    Cfg.a = n - 1
    if b:
        Cfg.a = n
    for i in seq(0, Cfg.a):  # here
        pass
