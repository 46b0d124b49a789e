@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

# proved: a size is positive
@proc
def p(n: size, x: f32):
    if n > 0:  # here
        pass

# refuted: a size may be 1
@proc
def p(n: size, x: f32):
    if n > 1:  # here
        pass

# proved: a loop variable is below its bound
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        if i < n:  # here
            pass

# refuted: its successor is not
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        if i + 1 < n:  # here
            pass

# proved: transitivity through three loops
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        for j in seq(0, i):
            for k in seq(0, j):
                if k + 2 <= i and i < n:  # here
                    pass

# refuted: one too many
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        for j in seq(0, i):
            for k in seq(0, j):
                if k + 3 <= i:  # here
                    pass

# proved: one or the other
@proc
def p(k: index, x: f32):
    if k < 5 or k > 4:  # here
        pass

# refuted: neither when it is equal
@proc
def p(k: index, x: f32):
    if k < 5 or k > 5:  # here
        pass

# proved: every third number
@proc
def p(k: index, x: f32):
    if k % 3 == 0 or k % 3 == 1 or k % 3 == 2:  # here
        pass

# refuted: two of three
@proc
def p(k: index, x: f32):
    if k % 3 == 0 or k % 3 == 1:  # here
        pass

# proved: a tile is inside when the size is a multiple
@proc
def p(n: size, x: f32):
    assert n % 16 == 0
    for io in seq(0, n / 16):
        for ii in seq(0, 16):
            if 16 * io + ii < n:  # here
                pass

# refuted: a tile rounded up is not inside
@proc
def p(n: size, x: f32):
    for io in seq(0, (n + 15) / 16):
        for ii in seq(0, 16):
            if 16 * io + ii < n:  # here
                pass

# proved: even and odd are different
@proc
def p(k: index, l: index, x: f32):
    if not (2 * k == 2 * l + 1):  # here
        pass

# refuted: multiples of two and of three meet
@proc
def p(k: index, l: index, x: f32):
    if not (2 * k == 3 * l + 1):  # here
        pass

# proved: a flag in its own branch
@proc
def p(b: bool, x: f32):
    if b:
        if b:  # here
            pass

# refuted: a flag in its else branch
@proc
def p(b: bool, x: f32):
    if b:
        pass
    else:
        if b:  # here
            pass

# proved: a field in its own branch
@proc
def p(x: f32):
    if Cfg.flag:
        if Cfg.flag:  # here
            pass

# refuted: a field in its own branch, after it was set
@proc
def p(x: f32):
    if Cfg.flag:
        Cfg.flag = False
        if Cfg.flag:  # here
            pass

# proved: a field in the branch that set it
@proc
def p(x: f32):
    if Cfg.flag:
        pass
    else:
        Cfg.flag = True
    if Cfg.flag:  # here
        pass

# refuted: the guard of the first iteration does not hold for the later ones
@proc
def p(n: size, x: f32):
    if Cfg.flag:
        for i in seq(0, n):
            if Cfg.flag:  # here
                pass
            Cfg.flag = False

# proved: the first iteration
@proc
def p(n: size, x: f32):
    if Cfg.flag:
        for i in seq(0, n):
            if i == 0:
                if Cfg.flag:  # here
                    pass
            Cfg.flag = False

# proved: an assertion
@proc
def p(n: size, m: size, x: f32):
    assert n <= m
    assert m < 2 * n
    if m / 2 < n:  # here
        pass

# refuted: an assertion that is just too weak
@proc
def p(n: size, m: size, x: f32):
    assert n <= m
    assert m <= 2 * n
    if m / 2 < n:  # here
        pass

# proved: the floor of a negative quotient
@proc
def p(k: index, x: f32):
    assert k < 0
    if k / 4 <= 0 - 1:  # here
        pass

# refuted: a quotient rounded towards zero
@proc
def p(k: index, x: f32):
    assert k < 0
    if k / 4 + 1 > k / 4 + k % 4:  # here
        pass

# proved: a negative step visits positions in range
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        if 0 <= n - 1 - i and n - 1 - i < n:  # here
            pass

# proved: nothing is known within a loop of no iterations, and nothing is asked
@proc
def p(k: index, x: f32):
    for i in seq(4, 4):
        if k > 100:  # here
            pass
    x = 1.0

# proved: shadowing: the inner variable has its own bound
@proc
def p(n: size, x: f32):
    for i in seq(5, n + 5):
        for i in seq(0, 3):
            if i < 3:  # here
                pass

# refuted: shadowing: the inner variable does not have the outer's bound
@proc
def p(n: size, x: f32):
    for i in seq(5, n + 5):
        for i in seq(0, 3):
            if i >= 5:  # here
                pass

# proved: large numbers
@proc
def p(k: index, x: f32):
    assert k >= 1000000007
    if k + k > k:  # here
        pass

# refuted: a field has been counted up to some number
@proc
def p(n: size, x: f32):
    Cfg.b = 0
    for i in seq(0, n):
        Cfg.b = Cfg.b + 1
    if Cfg.b == 1:  # here
        pass
