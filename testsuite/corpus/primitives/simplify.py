# case: indices after a division, by what the loops say
# expect: accept
@proc
def p(n: size, x: f32[4 * n]):
    for io in seq(0, n):
        for ii in seq(0, 4):
            x[4 * io + ii] = x[4 * ((4 * io + ii) / 4) + (4 * io + ii) % 4]

p = simplify(p)

# case: what divide_loop leaves of a loop of known length
# expect: accept
@proc
def p(x: f32[16]):
    for i in seq(0, 16):
        x[i] = 1.0

p = divide_loop(p, "i", 4, ["io", "ii"], tail="cut")
p = simplify(p)

# case: what mult_loops leaves
# expect: accept
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[i, j] = 1.0

p = mult_loops(p, "i j", "k")
p = divide_loop(p, "k", 4, ["i", "j"], perfect=True)
p = simplify(p)

# case: terms come together, the constants last
# expect: accept
@proc
def p(n: size, x: f32[2 * n + 8]):
    for i in seq(0 + 0, n + 2 - 2):
        x[1 + i + 2 * 3 - 5 + i - i * 0] = 1.0

p = simplify(p)

# case: divisibility, from an assertion
# expect: accept
@proc
def p(n: size, x: f32[n + 3]):
    assert n % 8 == 0
    for i in seq(0, 8 * (n / 8)):
        x[i + n % 8] = 1.0
    for i in seq(0, n % 8):
        x[i] = 2.0

p = simplify(p)

# case: a guard that always holds, one that never does, and one inside that follows from the one around
# expect: accept
@proc
def p(n: size, k: index, x: f32[n]):
    for i in seq(0, n):
        if i < n:
            x[i] = 1.0
        if i < 0:
            x[i] = 2.0
        else:
            x[i] += 3.0
        if k > 4:
            if k > 2 and i >= 0:
                x[i] += 4.0
            else:
                x[i] += 5.0

p = simplify(p)

# case: loops that never run, and what is empty then
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(n, i):
            x[j] = 1.0
    for i in seq(n, n):
        x[0] = 2.0

p = simplify(p)

# case: an equation in a guard
# expect: accept
@proc
def p(n: size, x: f32[n + 8]):
    for i in seq(0, n):
        if i == 3:
            x[i + 1] = 1.0

p = simplify(p)

# case: a field whose value is known, before a loop changes it and after
# expect: accept
@config
class Cfg:
    n: size

@proc
def p(n: size, x: f32[n + 8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):
        x[i] = 1.0
    for i in seq(0, n):
        x[Cfg.n - Cfg.n + i] = 2.0
        Cfg.n = Cfg.n + 1
    if Cfg.n == 4:
        x[0] = 3.0

p = simplify(p)

# case: data
# expect: accept
@proc
def p(x: f32, y: f32):
    x = 1.0 * y + 0.0
    x = 0.0 * y - 0.0
    x = -(-y) / 1.0 + (2.0 + 3.0) * 4.0
    x += 0.1 + 0.2

p = simplify(p)

# case: halves, and a difference from zero
# expect: accept
@proc
def p(x: f32, y: f32):
    x = 1.0 / 2.0 * y
    x += (1.5 * 2.0 - 0.25) * y
    x = 0.0 - y
    x += 1.0 / 3.0 + 0.1 * 2.0
    x = -3.0 / -4.0
    x += 2.0 / 0.0 * 0.0

p = simplify(p)

# case: literals that make a negative zero stay
# expect: accept
@proc
def p(x: f32[4], y: f32):
    x[0] = 1.0 / (0.0 * -1.0)
    x[1] = 1.0 / (-0.0 + -0.0)
    x[2] = 1.0 / (0.0 / -2.0)
    x[3] = y + (0.0 * 2.0 + 1.0)

p = simplify(p)

# case: integers have no halves
# expect: accept
@proc
def p(a: i32, y: f32):
    a = 7.0 / 2.0
    a = 8.0 / 2.0 + 0.5
    a += 0.5 + 0.5
    y = 7.0 / 2.0 * a

p = simplify(p)

# case: data of integers, and of both
# expect: accept
@proc
def p(a: i8, b: i32, y: f32):
    a = 1.0 * a + 0.0 * b
    y = 1.0 * a + y

p = simplify(p)

# case: extents, windows and arguments
# expect: accept
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: size, y: f32[n]):
    t: f32[n + n - n + 2 - 2]
    w = t[0 + 0:n * 1]
    fill(n + 1 - 1, w)
    y[0] = w[2 * 1 - 2]

p = simplify(p)

# case: the condition implies part of itself
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i < 4 and i < 8:
            x[i] = 1.0
        if i < 4 or i < 8:
            x[i] += 1.0
        if not (i + n < n + 2):
            x[i] += 2.0

p = simplify(p)

# case: nothing to do
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = simplify(p)

# case: a remainder of what may be too large stays
# family: 12
# expect: accept
# breaks: equal
@proc
def p(n: size, x: f32[n + 4]):
    for i in seq(0, n):
        x[i % 4] += 1.0

p = simplify(p)

# case: a guard that holds sometimes stays
# expect: accept
# breaks: decided
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i > 0:
            x[i] = 1.0
        else:
            x[i] = 2.0

p = simplify(p)

# case: a loop that runs sometimes stays
# expect: accept
# breaks: never_runs
@proc
def p(n: size, x: f32):
    for i in seq(0, n - 1):
        x = 1.0

p = simplify(p)

# case: a literal that makes integers floating stays
# expect: accept
# breaks: precision
@proc
def p(a: i8, b: i8, c: f32, y: f32):
    a = 3.0
    b = 2.0
    y = c + (a + 0.0) / b

p = simplify(p)

# case: a branch that is taken in one iteration stays
# expect: accept
# breaks: decided
@config
class Cfg:
    first: bool

@proc
def p(n: size, x: f32[n]):
    Cfg.first = True
    for i in seq(0, n):
        if Cfg.first:
            x[i] = 1.0
        Cfg.first = False

p = simplify(p)

# case: a bound that the loop body changes stays for the loop after it
# family: 4
# expect: accept
# breaks: never_runs
@config
class Cfg:
    n: size

@proc
def p(k: size, x: f32[8]):
    Cfg.n = 1
    for i in seq(0, k):
        Cfg.n = 3
    for i in seq(1, Cfg.n):
        x[i] = 1.0

p = simplify(p)

# case: the parts of a loop that was cut, each with its own range
# family: 1
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        if i < 4:
            x[i] = 1.0
        else:
            x[i] = 2.0
p = cut_loop(p, "i", 4)
p = simplify(p)

# case: the tail of a divided loop has fewer iterations than the loop it was copied from
# family: 1
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i % 4 < n % 4:
            x[i] = 1.0
        else:
            x[i] = 2.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="cut")
p = simplify(p)

# case: what is less than a common factor leaves a quotient
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[1]):
    for io in seq(0, n / 8):
        for ii in seq(0, 2):
            for j in seq(0, (8 + 2 * io + ii) / 8 * 8):
                if (8 * n - 2 * io + ii) / 8 > n - io:
                    y[0] += 1.0

p = simplify(p)

# case: what may be as large as the factor stays in the quotient
# expect: accept
@proc
def p(n: size, y: f32[1]):
    for io in seq(0, n):
        for ii in seq(0, 3):
            for j in seq(0, (2 * io + ii) / 8):
                y[0] += 1.0

p = simplify(p)

# case: sums in order
# expect: accept
@proc
def p(n: size, x: f32[4 * n + 8]):
    for i in seq(0, n):
        x[4 * (i + 1) + n - n] = 1.0
        x[n - i + 3] = 2.0

p = simplify(p, ordered=True)

# case: sums in order, of variables with one name
# expect: accept
@proc
def p(n: size, x: f32[n + 4, 4]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[i + j, 3 - j] = 1.0
            for i in seq(0, 4):
                x[i + n, i] += 2.0

p = simplify(p, ordered=True)

# case: sums in order, inside of quotients, with negative factors
# expect: accept
@proc
def p(n: size, x: f32[n + 4], y: f32[1]):
    for i in seq(-3, n):
        if (2 - 3 * i + n) % 5 == 1:
            for j in seq(0, (n - i + 7) / 4):
                y[0] += x[(i + 3) / 2]

p = simplify(p, ordered=True)

# case: in order, what literals do not decide stays
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i < n:
            x[i] = 1.0
        else:
            x[i] = 2.0
        for j in seq(n, n):
            x[i] += 1.0

p = simplify(p, ordered=True)

# case: in order, what literals decide goes
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if 3 < 4 and i < n:
            x[i] = 1.0
        if 2 < 1 or i % 2 == 0:
            x[i] = 2.0
        else:
            x[i] = 3.0
        for j in seq(3, 3):
            x[i] += 1.0
        for j in seq(3, 2 + 1 + 2):
            x[i] += 1.0

p = simplify(p, ordered=True)

# case: in order, an assertion is no more than that
# expect: accept
@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    for i in seq(0, n / 4 * 4 + n % 4):
        x[i] = 1.0

p = simplify(p, ordered=True)

# case: in order, of a sum with a field only zeros and ones go
# expect: accept
@config
class Cfg:
    k: index

@proc
def p(x: f32[8]):
    Cfg.k = 3
    for i in seq(0, 4):
        x[1 * i + (Cfg.k + 0) - 1 + 2] = 1.0

p = simplify(p, ordered=True)

# case: in order, of quotients and remainders no more is computed, and loops that do not run stay
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for jo in seq(0, i / 8 * 8 / 8):
            for ji in seq(0, 8):
                x[8 * ((8 * jo + ji) / 8) + (8 * jo + ji) % 8] = 1.0
        for ji in seq(0, i / 8 * 8 % 8):
            x[8 * ((ji + i / 8 * 8) / 8) + (ji + i / 8 * 8) % 8] = 2.0
        for ji in seq(0, i % 8):
            x[ji + i / 4 / 2 * 8 + i % 4 / 4 + 0 * (i / 4)] = 3.0
        for ji in seq(0, i / 4 % 1):
            x[i % 8 / 1] = 4.0

p = simplify(p, ordered=True)

# case: in order, quotients of sums, as wholes and by factors, and remainders
# expect: accept
@proc
def p(n: size, x: f32[64 * n + 64]):
    for io in seq(0, n):
        for ii in seq(0, 4):
            x[(16 * io + 4 * ii) / 16] = 1.0
            x[(16 * io + 4 * ii + 3) / 4] = 1.0
            x[(16 * io + 2 * ii) / 4] = 1.0
            x[(16 * io + ii) % 16] = 1.0
            x[(io + 16 * ii) / 16] = 1.0
            x[(5 * io + 8 * ii + 9) % 4] = 1.0
            x[(4 * io + ii + 5) / 4] = 1.0

p = simplify(p, ordered=True)

# case: of assertions, what sizes and literals say, and not what another one says
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, 8]):
    assert 1 <= 2
    assert n > 0
    assert (n + 8) % 8 == 0
    assert n + m - n > 2 and n % 4 < 4
    assert n % 8 == 0
    assert n % 4 == 0
    assert stride(x, 1) == 1
    for i in seq(0, n % 8 + 1):
        x[i, 0] = 1.0

p = simplify(p)

# case: an assertion that reads a field says that it is set
# expect: accept
@config
class Cfg:
    k: index

@proc
def p(x: f32[8]):
    assert Cfg.k == Cfg.k
    assert 0 <= Cfg.k + 1 - 1
    assert Cfg.k < 3 + 5
    if Cfg.k < 4:
        x[Cfg.k] = 1.0

p = simplify(p)

# case: a field that an assertion reads may be read anywhere
# expect: accept
@config
class Cfg:
    k: index

@proc
def p(x: f32[8]):
    assert Cfg.k == Cfg.k
    x[0] = 1.0

p = simplify(p)
p = rewrite_expr(p, "0", "Cfg.k - Cfg.k")

# case: of a tensor that becomes a window, a stride is still asserted
# expect: accept
@proc
def g(w: [f32][8]):
    assert stride(w, 0) == 1
    w[0] = 1.0

@proc
def p(n: size, x: f32[n]):
    assert n > 7
    assert stride(x, 0) == 1 + 0
    g(x[0:8])

p = simplify(p)
p = set_window(p, "x", True)

# case: in order, a divisor that is as large as can be
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, (n + 2) / 9223372036854775807 + (6 * n + 3) / 9223372036854775806 + 0):
        x[0] = 1.0

p = simplify(p, ordered=True)

# case: in order, a constant that is as small as can be stays behind
# expect: accept
@proc
def p(n: size, m: size, x: f32[1]):
    assert m > 1000
    assert n < 100
    if m - n - 9223372036854775800 + 0 < 0:
        x[0] = 1.0

p = simplify(p, ordered=True)

# case: in order, assertions stay, and say `True` where literals decide them
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert 1 + 1 <= 2
    assert n > 0
    assert (n + 8) % 8 == 0
    assert m + 2 > 1 and 2 < 3
    assert n + n == 2 * m
    for i in seq(0, n):
        x[i] = 1.0

p = simplify(p, ordered=True)

# case: guards are read word for word where sums are to be in order
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n % 8):
        if n < 8:
            x[i + n / 8 * 8] = 1.0
        if i + n / 8 * 8 == 0:
            x[i + n / 8 * 8] = 2.0
        if n / 8 == 0:
            x[n % 8 - 1] = 3.0
        if i == 2 and n > 4:
            x[i] = 4.0

p = simplify(p, ordered=True)

# case: a guard that is read word for word, and a loop that hides its variable
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        if i == 3:
            for i in seq(0, 2):
                x[i] = 1.0

p = simplify(p, ordered=True)

# case: a guard that is read word for word, of a field that is written under it
# expect: accept
@config
class Cfg:
    k: index

@proc
def p(k: index, x: f32[8]):
    Cfg.k = k
    for i in seq(0, 8):
        if Cfg.k == 3:
            Cfg.k = 2
            if Cfg.k < 3:
                x[i] = 1.0

p = simplify(p, ordered=True)

# case: a division by a factor of the divisor
# expect: accept
@proc
def p(x: f32[64]):
    for i in seq(0, 8):
        x[6 * i / 4] = 0.0
        x[(3 + 4 * i) / 8] = 0.0
        for j in seq(0, 2):
            x[(j + 8) / 6 % 4] = 0.0

p = simplify(p, ordered=True)
