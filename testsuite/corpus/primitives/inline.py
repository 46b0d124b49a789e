# case: a tensor and a size
# expect: accept
@proc
def scale(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

@proc
def p(m: size, y: f32[m]):
    scale(m, y)

p = inline(p, "scale(_)")

# case: a window, and its strides
# expect: accept
@proc
def diagonal(n: size, x: [f32][n, n]):
    assert stride(x, 1) == 1
    for i in seq(0, n):
        if stride(x, 0) == 8:
            x[i, i] = 1.0
        else:
            x[i, 0] = 2.0

@proc
def p(y: f32[2, 8, 8]):
    diagonal(4, y[1, 2:6, 3:7])

p = inline(p, "diagonal")

# case: a cell, a scalar and a truth value
# expect: accept
@proc
def add(up: bool, k: index, a: f32, b: [f32]):
    if up:
        a = a + b
    else:
        if k < 3:
            a = b

@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):
        add(i < n - 1 and n > 2, i + 1, x[i], s)

p = inline(p, "add(_)")

# case: buffers and windows of the callee, called twice
# expect: accept
@proc
def twice(n: size, x: [f32][n]):
    t: f32[n]
    for i in seq(0, n):
        t[i] = x[i]
    w = t[0:n]
    for i in seq(0, n):
        x[i] = w[i] + w[i]

@proc
def p(n: size, y: f32[n + 4]):
    twice(n, y[2:n + 2])
    twice(n, y[0:n])

p = inline(p, "twice(_)")
p = inline(p, "twice(_)")

# case: calls in the callee, which stay
# expect: accept
@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def rows(n: size, m: size, x: [f32][n, m]):
    for i in seq(0, n):
        clear(m, x[i, :])
    clear(n, x[:, 0])

@proc
def p(y: f32[4, 6, 8]):
    for j in seq(0, 6):
        rows(4, 3, y[:, j, 2:5])

p = inline(p, "rows(_)")

# case: a field that the callee reads
# expect: accept
@config
class Cfg:
    k: size

@proc
def upto(n: size, x: f32[n]):
    for i in seq(0, n):
        if i < Cfg.k:
            x[i] = 1.0

@proc
def p(x: f32[8]):
    Cfg.k = 3
    upto(8, x)

p = inline(p, "upto(_)")

# case: a field in an argument, which the callee changes without using the argument afterwards
# expect: accept
@config
class Cfg:
    k: size
    j: index

@proc
def f(k: index, x: [f32][4]):
    Cfg.j = 0
    if k < 4:
        x[0] = 1.0

@proc
def p(x: f32[8]):
    if Cfg.j >= 0 and Cfg.j < 4:
        f(Cfg.k, x[Cfg.j:Cfg.j + 4])

p = inline(p, "f(_)")

# case: a cell whose index is a field that the callee changes
# expect: accept
@config
class Cfg:
    j: index

@proc
def f(x: f32):
    Cfg.j = 0
    x = 1.0

@proc
def p(x: f32[8]):
    if Cfg.j >= 0 and Cfg.j < 8:
        f(x[Cfg.j])

p = inline(p, "f(_)")

# case: an instruction
# expect: accept
@instr("{dst_data} = load({src_data});")
def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[16], y: f32[8]):
    v: f32[8] @ AVX2
    load(v, x[4:12])
    for i in seq(0, 8):
        y[i] = v[i]

p = inline(p, "load(_)")

# case: two arguments that show one buffer, which is only read
# expect: accept
@proc
def f(d: f32, x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        d += x[i] * y[i]

@proc
def p(d: f32, x: f32[8]):
    f(d, x[0:4], x[2:6])

p = inline(p, "f(_)")

# case: in a parallel loop
# expect: accept
@proc
def f(n: size, x: [f32][n]):
    for i in par(0, n):
        x[i] = 1.0

@proc
def p(n: size, x: f32[n, n]):
    for i in par(0, n):
        f(n, x[i, :])

p = inline(p, "f(_)")

# case: names that the caller has too
# expect: accept
@proc
def f(i: size, x: f32[i]):
    t: f32
    t = 2.0
    for j in seq(0, i):
        x[j] = t

@proc
def p(n: size, x: f32[n]):
    t: f32
    t = 1.0
    for j in seq(0, n):
        f(n, x)
    x[0] = t

p = inline(p, "f(_)")

# case: an argument that reads a field which the callee changes first
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index

@proc
def f(k: index, x: f32[4]):
    assert k >= 0
    assert k < 4
    Cfg.k = 0
    x[k] = 1.0

@proc
def p(x: f32[4]):
    Cfg.k = 2
    f(Cfg.k, x)

p = inline(p, "f(_)")

# case: and in a loop, where it changes later
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index

@proc
def f(k: index, x: f32[4]):
    for i in seq(0, 4):
        if i < k:
            x[i] = 1.0
        Cfg.k = 1

@proc
def p(x: f32[4]):
    Cfg.k = 3
    f(Cfg.k, x)

p = inline(p, "f(_)")

# case: it is another procedure of the callee that changes it
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index

@proc
def reset(x: f32):
    Cfg.k = 0
    x = 0.0

@proc
def f(k: index, x: f32[4], y: f32):
    reset(y)
    for i in seq(0, 4):
        if i == k + 1:
            x[i] = 1.0

@proc
def p(x: f32[4], y: f32):
    Cfg.k = 2
    f(Cfg.k, x, y)

p = inline(p, "f(_)")

# case: an extent
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: size

@proc
def f(n: size, x: f32[4]):
    assert n <= 4
    Cfg.k = 1
    t: f32[n]
    for i in seq(0, n):
        t[i] = 1.0
    for i in seq(0, n):
        x[i] = t[i]

@proc
def p(x: f32[4]):
    Cfg.k = 3
    f(Cfg.k, x)

p = inline(p, "f(_)")

# case: a truth value
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    on: bool

@proc
def f(on: bool, x: f32[4]):
    Cfg.on = False
    if on:
        x[0] = 1.0

@proc
def p(x: f32[4]):
    Cfg.on = True
    f(Cfg.on, x)

p = inline(p, "f(_)")

# case: no call
# expect: invalid
@proc
def p(x: f32[4]):
    x[0] = 1.0

p = inline(p, "f(_)")

# case: an argument reads a field that one thread of the callee changes and puts back
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
    j: index

@proc
def touch():
    for i in seq(0, 2):
        Cfg.j = Cfg.k
        Cfg.k = 0
        Cfg.k = Cfg.j

@proc
def fill(k: index, x: [f32][8]):
    for i in par(0, 8):
        if i == 0:
            touch()
        if i < k:
            x[i] = 0.0

@proc
def p(x: f32[8]):
    Cfg.k = 3
    fill(Cfg.k, x)

p = inline(p, "fill(_)")

# case: Rows of a matrix for a tensor.
# expect: accept
@proc
def f(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        x[i] += y[i]
@proc
def p(n: size, A: f32[n, 8], y: [f32][8]):
    assert stride(y, 0) == 1
    for i in seq(0, n):
        f(A[i, :], y)
p = inline(p, "f(_)")

# case: a procedure over the reals, called for a byte
# expect: refuse precision
@proc
def sum2(x: R, a: f32, b: f32):
    x = a
    x += b

@proc
def p(x: i8, a: f32, b: f32):
    sum2(x, a, b)

p = inline(p, "sum2(_)")

# case: a procedure over the reals, called for a double
# expect: accept
@proc
def tenth(x: R):
    x = x + 0.1

@proc
def p(x: f64):
    tenth(x)

p = inline(p, "tenth(_)")
