@config
class Cfg:
    a: index
    b: index
    n: size

# proved: a sum by any order
@proc
def p(n: size, m: size, x: f32):
    if n + m == m + n:  # here
        pass

# refuted: a difference the other way round
@proc
def p(n: size, m: size, x: f32):
    if n - m == m - n:  # here
        pass

# proved: quotient and remainder make the number
@proc
def p(k: index, x: f32):
    if 8 * (k / 8) + k % 8 == k:  # here
        pass

# refuted: a quotient forgets the remainder
@proc
def p(k: index, x: f32):
    if 8 * (k / 8) == k:  # here
        pass

# proved: a quotient of a multiple
@proc
def p(n: size, x: f32):
    assert n % 8 == 0
    if 8 * (n / 8) == n:  # here
        pass

# proved: a remainder of a number that is small
@proc
def p(n: size, x: f32):
    for i in seq(0, 8):
        if i % 8 == i:  # here
            pass

# refuted: a remainder of a number that may be negative
@proc
def p(k: index, x: f32):
    assert k < 8
    if k % 8 == k:  # here
        pass

# refuted: the largest number is just too large
@proc
def p(x: f32):
    for i in seq(0, 9):
        if i % 8 == i:  # here
            pass

# proved: a quotient of a quotient
@proc
def p(k: index, x: f32):
    if k / 4 / 2 == k / 8:  # here
        pass

# refuted: a quotient of a sum is not the sum of quotients
@proc
def p(n: size, m: size, x: f32):
    if (n + m) / 4 == n / 4 + m / 4:  # here
        pass

# proved: a quotient of a sum with a multiple
@proc
def p(n: size, m: index, x: f32):
    if (8 * m + n) / 4 == 2 * m + n / 4:  # here
        pass

# proved: rounding down a negative number
@proc
def p(k: index, x: f32):
    assert k > 0
    assert k < 5
    if (0 - k) / 4 == 0 - 1:  # here
        pass

# refuted: rounding up instead
@proc
def p(k: index, x: f32):
    if (k + 3) / 4 == k / 4 + 1:  # here
        pass

# proved: rounding up a number that is no multiple
@proc
def p(k: index, x: f32):
    assert k % 4 > 0
    if (k + 3) / 4 == k / 4 + 1:  # here
        pass

# proved: a guard fixes the value
@proc
def p(n: size, x: f32):
    if n == 7:
        if n + 1 == 8:  # here
            pass

# refuted: the else branch has all other values
@proc
def p(n: size, x: f32):
    if n == 7:
        pass
    else:
        if n + 1 == 9:  # here
            pass

# proved: two bounds leave one value
@proc
def p(n: size, x: f32):
    for i in seq(n, n + 1):
        if i == n:  # here
            pass

# proved: a field that was set
@proc
def p(n: size, x: f32):
    Cfg.a = n + 1
    if Cfg.a == n + 1:  # here
        pass

# refuted: a field that was set from another, which was then changed
@proc
def p(n: size, x: f32):
    Cfg.a = Cfg.b
    Cfg.b = 3
    if Cfg.a == Cfg.b:  # here
        pass

# proved: a field that both branches set alike
@proc
def p(b: bool, x: f32):
    if b:
        Cfg.a = 3
        Cfg.b = 1
    else:
        Cfg.a = 3
    if Cfg.a == 3:  # here
        pass

# refuted: a field after a loop that may not have run
@proc
def p(n: index, x: f32):
    Cfg.a = 0
    for i in seq(0, n):
        Cfg.a = 3
    if Cfg.a == 3:  # here
        pass

# proved: a field after a loop that ran
@proc
def p(n: size, x: f32):
    Cfg.a = 0
    for i in seq(0, n):
        Cfg.a = 3
    if Cfg.a == 3:  # here
        pass

# proved: a field within the iteration that set it
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        Cfg.a = i
        if Cfg.a == i:  # here
            pass

# refuted: a field within the next iteration
@proc
def p(n: size, x: f32):
    Cfg.a = 0
    for i in seq(0, n):
        if Cfg.a == i:  # here
            pass
        Cfg.a = i

# proved: a field within the next iteration is one behind, after the first
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        if i > 0:
            if Cfg.a == i - 1:  # here
                pass
        Cfg.a = i

# proved: the stride of a dense row
@proc
def p(n: size, m: size, x: f32[n, m]):
    if stride(x, 1) == 1:  # here
        pass

# proved: the stride of a dense column, through a window
@proc
def p(n: size, x: f32[n, 16]):
    w = x[0:n, 3]
    if stride(w, 0) == 16:  # here
        pass

# refuted: the stride of a window that is an argument
@proc
def p(n: size, x: [f32][n]):
    if stride(x, 0) == 1:  # here
        pass

# proved: the stride of a window that is asserted
@proc
def p(n: size, x: [f32][n, 4]):
    assert stride(x, 1) == 1
    w = x[0, 0:2]
    if stride(w, 0) == 1:  # here
        pass

# refuted: shadowing: the inner variable is not the outer
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        Cfg.a = i
        for i in seq(0, n):
            if Cfg.a == i:  # here
                pass
