# case: own cells
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

p = parallelize_loop(p, "i")

# case: own rows, through a window
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        w = x[i, 0:m]
        for j in seq(0, m):
            w[j] += 1.0

p = parallelize_loop(p, "i")

# case: a buffer of its own
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = x[i]
        x[i] = t * t

p = parallelize_loop(p, "i")

# case: own tiles
# expect: accept
@proc
def p(n: size, x: f32[4 * n]):
    for io in seq(0, n):
        for ii in seq(0, 4):
            x[4 * io + ii] = 0.0

p = parallelize_loop(p, "io")

# case: only one iteration
# expect: accept
@proc
def p(x: f32):
    for i in seq(0, 1):
        x += 1.0

p = parallelize_loop(p, "i")

# case: a callee that changes its own row
# expect: accept
@proc
def clear(n: size, x: [f32][n]):
    for j in seq(0, n):
        x[j] = 0.0

@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        clear(m, x[i, :])

p = parallelize_loop(p, "i")

# case: the inner loop alone
# expect: accept
@proc
def p(n: size, m: size, x: f32[m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[j] += 1.0

p = parallelize_loop(p, "j")

# case: a field that all read
# expect: accept
@config
class Cfg:
    k: size

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 2
    for i in seq(0, n):
        if i < Cfg.k:
            x[i] = 1.0

p = parallelize_loop(p, "i")

# case: a sum
# expect: refuse races
# breaks: races
@proc
def p(n: size, s: f32, x: f32[n]):
    for i in seq(0, n):
        s += x[i]

p = parallelize_loop(p, "i")

# case: the neighbour
# expect: refuse races
# breaks: races
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i] = x[i + 1]

p = parallelize_loop(p, "i")

# case: one cell that all write alike
# expect: refuse races
# breaks: races
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        x = 1.0

p = parallelize_loop(p, "i")

# case: a field
# expect: refuse races
# breaks: races
@config
class Cfg:
    k: size

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        Cfg.k = 2
        x[i] = 1.0

p = parallelize_loop(p, "i")

# case: overlapping windows
# expect: refuse races
# breaks: races
@proc
def clear(x: [f32][2]):
    for j in seq(0, 2):
        x[j] = 0.0

@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        clear(x[i:i + 2])

p = parallelize_loop(p, "i")

# case: a buffer that is shared
# expect: refuse races
# breaks: races
@proc
def p(n: size, x: f32[n]):
    t: f32
    for i in seq(0, n):
        t = x[i]
        x[i] = t * t

p = parallelize_loop(p, "i")

# case: no loop
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = parallelize_loop(p, "i")

# case: callees are given windows that overlap, and touch parts of them that do not
# expect: accept
@proc
def pair(x: [f32][4]):
    for j in seq(0, 2):
        x[j] += 1.0

@proc
def p(n: size, x: f32[2 * n + 2]):
    for i in seq(0, n):
        pair(x[2 * i:2 * i + 4])

p = parallelize_loop(p, "i")

# case: callees are given windows that overlap, and meet in them
# expect: refuse races
# breaks: races
@proc
def three(x: [f32][4]):
    for j in seq(0, 3):
        x[j] += 1.0

@proc
def p(n: size, x: f32[2 * n + 2]):
    for i in seq(0, n):
        three(x[2 * i:2 * i + 4])

p = parallelize_loop(p, "i")

# case: a window that callees only read, and squares on a diagonal
# expect: accept
@proc
def square(m: size, a: [f32][m], c: [f32][m, m]):
    assert m <= 4
    if m > 2:
        for i in seq(0, m):
            for j in seq(i, m):
                c[i, j] += a[i]
    else:
        for i in seq(0, m):
            c[i, m - 1 - i] = a[m / 2]

@proc
def p(n: size, a: f32[4], c: f32[4 * n, 4 * n]):
    for i in seq(0, n):
        square(4, a[0:4], c[4 * i:4 * i + 4, 4 * i:4 * i + 4])

p = parallelize_loop(p, "i")

# case: apart in what they are given, but a callee counts in a field
# expect: refuse races
# breaks: races
@config
class Cfg:
    k: index

@proc
def counted(k: index, x: [f32][4]):
    Cfg.k = k
    for j in seq(0, 4):
        x[j] += 1.0

@proc
def p(n: size, x: f32[4 * n]):
    for i in seq(0, n):
        counted(i, x[4 * i:4 * i + 4])

p = parallelize_loop(p, "i")

# case: a callee of the callee is given a part of a part
# expect: refuse races
# breaks: races
@proc
def clear(m: size, x: [f32][m]):
    for j in seq(0, m):
        x[j] = 0.0

@proc
def some(m: size, x: [f32][m + 1]):
    clear(m, x[1:m + 1])

@proc
def p(n: size, x: f32[4 * n + 2]):
    for i in seq(0, n):
        some(5, x[4 * i:4 * i + 6])

p = parallelize_loop(p, "i")

# case: a field is set before the loop, and callees are given a number each
# expect: accept
@config
class Cfg:
    k: index

@proc
def set(k: index):
    Cfg.k = k

@proc
def scaled(m: size, a: f32, x: [f32][m]):
    for i in seq(0, m):
        if i % 3 == 1:
            x[i] = a
        else:
            x[m - 1 - i] = 2.0 * a

@proc
def p(n: size, a: f32[n], x: f32[4 * n]):
    set(3)
    for i in seq(0, n):
        scaled(4, a[i], x[4 * i:4 * i + 4])
    set(4)

p = parallelize_loop(p, "i")

# case: a guard that no iteration passes, whatever runs before
# expect: accept
@config
class Cfg:
    a: index

@proc
def p(n: size, x: f32[n]):
    Cfg.a = 0
    for i in seq(0, n):
        if Cfg.a > 1:
            Cfg.a = 1
        x[i] = 1.0

p = parallelize_loop(p, "i")

# case: a guard that the first iteration passes
# expect: refuse races
# breaks: races
@config
class Cfg:
    a: index

@proc
def p(n: size, x: f32[n]):
    Cfg.a = 2
    for i in seq(0, n):
        if Cfg.a > 1:
            Cfg.a = 1
        x[i] = 1.0

p = parallelize_loop(p, "i")
