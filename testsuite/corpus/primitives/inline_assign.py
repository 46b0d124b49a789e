# case: a scalar
# expect: accept
@proc
def p(x: f32, y: f32):
    t: f32
    t = x * x
    y = t + 1.0
p = inline_assign(p, "t = _")

# case: several reads, some of them in loops and guards
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    t: f32
    t = x[0] + 1.0
    for i in seq(0, n):
        if i > 2:
            y[i] = t * t
    y[0] = t
p = inline_assign(p, "t = _")

# case: one cell of several
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    t: f32[n + 1]
    for i in seq(0, n):
        t[i] = x[i]
        t[n] = 3.0
        y[i] = t[i] + t[n]
p = inline_assign(p, "t[i] = _")

# case: not read at all
# expect: accept
@proc
def p(x: f32):
    t: f32
    t = x
    x = 1.0
p = inline_assign(p, "t = _")

# case: written again in the next iteration
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    t: f32
    for i in seq(0, n):
        t = x[i]
        y[i] = t
p = inline_assign(p, "t = _")

# case: the source is changed by the last statement that reads
# expect: accept
@proc
def p(x: f32):
    t: f32
    t = x + 1.0
    x = t * 2.0
p = inline_assign(p, "t = _")

# case: the index is equal only by an assertion
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert n == m
    t: f32[n]
    t[n - 1] = x[0]
    x[0] = t[m - 1] * 2.0
p = inline_assign(p, "t[_] = _")

# case: an argument, which the caller sees
# family: 11
# expect: refuse local
# breaks: local
@proc
def p(x: f32, y: f32):
    y = x
    x = y + 1.0
p = inline_assign(p, "y = _")

# case: a window of an argument
# expect: refuse local
# breaks: local
@proc
def p(x: f32[4], y: f32):
    w = x[1:3]
    w[0] = 2.0
    y = w[0]
p = inline_assign(p, "w[_] = _")

# case: added to before it is read
# expect: refuse only_reads
# breaks: only_reads
@proc
def p(x: f32):
    t: f32
    t = 1.0
    t += x
    x = t
p = inline_assign(p, "t = _")

# case: passed to a procedure
# family: 9
# expect: refuse only_reads
# breaks: only_reads
@proc
def f(a: f32, b: f32):
    b = a
@proc
def p(x: f32):
    t: f32
    t = x + 1.0
    f(t, x)
p = inline_assign(p, "t = _")

# case: read through a window
# family: 8
# expect: refuse only_reads
# breaks: only_reads
@proc
def p(x: f32):
    t: f32[2]
    w = t[0:2]
    t[1] = x + 1.0
    x = w[1]
p = inline_assign(p, "t[_] = _")

# case: an index that may be the same
# family: 3
# expect: refuse only_reads
# breaks: only_reads
@proc
def p(n: size, x: f32[n]):
    t: f32[n]
    t[0] = 4.0
    for i in seq(0, n):
        if i > 0:
            t[i] = 1.0
        x[i] = t[i]
p = inline_assign(p, "t[0] = _")

# case: read after the block
# expect: refuse dead
# breaks: dead
@proc
def p(n: size, x: f32):
    t: f32
    t = 1.0
    if n > 1:
        t = 2.0
    x = t
p = inline_assign(p, "t = 2.0")

# case: read in the next iteration
# expect: refuse dead
# breaks: dead
@proc
def p(n: size, x: f32[n]):
    t: f32
    t = 1.0
    for i in seq(0, n):
        x[i] = t
        t = 2.0
p = inline_assign(p, "t = 2.0")

# case: the source is changed
# family: 11
# expect: refuse unchanged
# breaks: unchanged
@proc
def p(x: f32, y: f32):
    t: f32
    t = x
    x = 2.0
    y = t
p = inline_assign(p, "t = _")

# case: the source is changed in the loop that reads
# expect: refuse unchanged
# breaks: unchanged
@proc
def p(n: size, x: f32, y: f32[n]):
    t: f32
    t = x
    for i in seq(0, n):
        y[i] = t
        x = 2.0
p = inline_assign(p, "t = _")

# case: the index of the source is changed
# family: 3
# expect: refuse unchanged
# breaks: unchanged
@config
class Cfg:
    k: index
@proc
def p(x: f32[4], y: f32):
    assert Cfg.k == 0
    t: f32
    t = x[Cfg.k]
    Cfg.k = 1
    y = t
p = inline_assign(p, "t = _")

# case: a narrow cell in between
# expect: refuse precision
# breaks: precision
@proc
def p(x: i32, y: i32):
    t: i8
    t = x * 100.0
    y = t
p = inline_assign(p, "t = _")

# case: no assignment
# expect: invalid
@proc
def p(x: f32, y: f32):
    y += x
p = inline_assign(p, "y = _")

# case: a sum of narrow integers, which goes to a cell of as many bits
# expect: accept
@proc
def p(x: i8, y: ui8):
    t: i8
    t = x + 100.0
    y = t * 2.0 - t
p = inline_assign(p, "t = _")

# case: a literal of integers
# expect: accept
@proc
def p(x: i8, y: i8):
    t: i8
    t = 3.0
    y = t + x
p = inline_assign(p, "t = _")

# case: a wide product, of which a narrow cell takes the low bits
# expect: accept
@proc
def p(x: i32, y: i8):
    t: ui16
    t = x * x
    y += t
p = inline_assign(p, "t = _")

# case: a sum of narrow integers of which a quotient is taken
# expect: refuse precision
# breaks: precision
@proc
def p(x: i8, y: i8):
    x = 100.0
    t: i8
    t = x + 100.0
    y = t / 2.0
p = inline_assign(p, "t = _")

# case: a literal that is an integer where it stands, and none where it would
# expect: refuse precision
# breaks: precision
@proc
def p(y: f32):
    t: i8
    t = 3.0
    y = t * 0.5
p = inline_assign(p, "t = _")

# case: a float that is cut off on the way to an integer
# expect: refuse precision
# breaks: precision
@proc
def p(x: f32, y: i8):
    x = 1.5
    t: i8
    t = x
    y = t + t
p = inline_assign(p, "t = _")

# case: the value reads the cell itself
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32):
    t: f32
    t = y
    t = t * 2.0
    for i in seq(0, n):
        x[i] = t + t
p = inline_assign(p, "t = _ #1")

# case: the value reads the cell itself, and so does the next iteration
# expect: refuse dead
# breaks: dead
@proc
def p(n: size, x: f32[n], y: f32):
    t: f32
    t = y
    for i in seq(0, n):
        t = t * 2.0
        x[i] = t
p = inline_assign(p, "t = _ #1")

# case: the value reads the cell itself, which is written on the way
# expect: refuse only_reads
@proc
def p(x: f32[2], y: f32):
    t: f32
    t = y
    t = t * 2.0
    x[0] = t
    t = 5.0
    x[1] = t
p = inline_assign(p, "t = _ #1")

# case: passed to a callee that only reads it
# expect: accept
@proc
def splat(dst: [f32][4], src: f32):
    for i in seq(0, 4):
        dst[i] = src
@proc
def p(n: size, a: f32[n], y: f32[n]):
    assert n > 3
    for i in seq(0, n):
        t: f32
        t = a[i]
        v: f32[4]
        splat(v, t)
        y[i] += v[0] + t
p = inline_assign(p, "t = _")

# case: passed to a callee, where the value is no cell
# expect: refuse only_reads
# breaks: only_reads
@proc
def splat(dst: [f32][4], src: f32):
    for i in seq(0, 4):
        dst[i] = src
@proc
def p(a: f32, y: f32[4]):
    t: f32
    t = a + 1.0
    splat(y, t)
p = inline_assign(p, "t = _")

# case: the callee changes the source of what it is passed
# family: 3
# expect: refuse unchanged
# breaks: unchanged
@proc
def splat(dst: [f32][4], src: f32):
    for i in seq(0, 4):
        dst[i] = 2.0 * src
@proc
def p(y: f32[4]):
    t: f32
    t = y[1]
    splat(y, t)
p = inline_assign(p, "t = _")

# case: the source lies in a window that the callee changes elsewhere
# family: 3
# expect: refuse unchanged
@proc
def first(dst: [f32][4], src: f32):
    dst[0] = src
@proc
def p(y: f32[4]):
    t: f32
    t = y[3]
    first(y[0:4], t)
p = inline_assign(p, "t = _")

# case: passed twice to one callee
# expect: accept
@proc
def add(dst: f32, a: f32, b: f32):
    dst = a + b
@proc
def p(x: f32, y: f32[4]):
    t: f32
    t = x
    add(y[0], t, t)
p = inline_assign(p, "t = _")

# case: a callee of another precision than the source
# expect: refuse precision
@proc
def splat(dst: [f32][4], src: f32):
    for i in seq(0, 4):
        dst[i] = src
@proc
def p(a: f64, y: f32[4]):
    t: f32
    t = a
    splat(y, t)
p = inline_assign(p, "t = _")

# case: the callee changes what it is passed
# family: 9
# expect: refuse only_reads
# breaks: only_reads
@proc
def bump(a: f32):
    a += 1.0
@proc
def p(x: f32, y: f32):
    t: f32
    t = x
    bump(t)
    y = t
p = inline_assign(p, "t = _")

# case: a callee of the callee changes what it is passed
# family: 9
# expect: refuse only_reads
# breaks: only_reads
@proc
def bump(a: f32):
    a += 1.0
@proc
def twice(n: size, a: f32):
    for i in seq(0, n):
        bump(a)
@proc
def p(x: f32, y: f32):
    t: f32
    t = x
    twice(2, t)
    y = t
p = inline_assign(p, "t = _")
