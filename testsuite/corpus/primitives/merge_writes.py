# case: assignment after assignment
# expect: accept
@proc
def p(x: f32[4], y: f32):
    x[2] = y
    x[2] = 1.0

p = merge_writes(p, "x[_] = _ ; x[_] = _")

# case: assignment after reduction
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 2.0
        x[i] = 1.0

p = merge_writes(p, "x[_] += _ ; x[_] = _")

# case: reduction after assignment
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = y[i]
        x[i] += 2.0 * y[n - 1 - i]

p = merge_writes(p, "x[_] = _ ; x[_] += _")

# case: reduction after reduction, and the first reads the cell
# expect: accept
@proc
def p(x: f32, y: f32):
    x += x
    x += y

p = merge_writes(p, "x += _ ; x += _")

# case: integers, which wrap at the end as well as in between
# expect: accept
@proc
def p(x: i8, a: i8, b: i32):
    x = a * b
    x += b + 100.0

p = merge_writes(p, "x = _ ; x += _")

# case: the same cell in other words
# expect: accept
@proc
def p(n: size, m: size, x: f32[n + 1]):
    assert n == m
    x[n] = 1.0
    x[m + 0] += 2.0

p = merge_writes(p, "x[_] = _ ; x[_] += _")

# case: the same cell through a window
# expect: accept
@proc
def p(x: f32[8], y: f32):
    w = x[2:6]
    x[3] = y
    w[1] += 1.0

p = merge_writes(p, "x[_] = _ ; w[_] += _")

# case: the second reads another cell of the same buffer
# expect: accept
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i] = 1.0
        x[i] += x[i + 1]

p = merge_writes(p, "x[_] = _ ; x[_] += _")

# case: a field that is read by both, in a parallel loop
# expect: accept
@config
class Cfg:
    at: index
    scale: f32

@proc
def p(x: f32[8, 4]):
    assert Cfg.at >= 0
    assert Cfg.at < 4
    for i in par(0, 8):
        x[i, Cfg.at] = Cfg.scale
        x[i, Cfg.at] += Cfg.scale

p = merge_writes(p, "x[_] = _ ; x[_] += _")

# case: what the first reads has no value, and it goes
# expect: accept
@proc
def p(x: f32):
    t: f32
    x = t
    x = 1.0

p = merge_writes(p, "x = _ ; x = _")

# case: another cell
# family: 3
# expect: refuse same_cell
# breaks: same_cell
@proc
def p(x: f32[4]):
    x[1] = 1.0
    x[2] = 2.0

p = merge_writes(p, "x[_] = _ ; x[_] = _")

# case: another cell in some iterations
# family: 3
# expect: refuse same_cell
# breaks: same_cell
@proc
def p(n: size, x: f32[n + 4]):
    for i in seq(0, n):
        x[i] = 1.0
        x[3] += 2.0

p = merge_writes(p, "x[_] = _ ; x[_] += _")

# case: another buffer
# expect: refuse same_cell
@proc
def p(x: f32, y: f32):
    x = 1.0
    y = 2.0

p = merge_writes(p, "x = _ ; y = _")

# case: the second assignment reads the first
# expect: refuse not_read
# breaks: not_read
@proc
def p(x: f32):
    x = 1.0
    x = x + 1.0

p = merge_writes(p, "x = _ ; x = _")

# case: the reduction reads the cell, through a window
# family: 8
# expect: refuse not_read
# breaks: not_read
@proc
def p(x: f32[8], y: f32):
    w = x[2:6]
    x[3] = y
    x[3] += w[1]

p = merge_writes(p, "x[_] = _ ; x[_] += _")

# case: the second reads a cell that may be the first
# expect: refuse not_read
# breaks: not_read
@proc
def p(n: size, k: index, x: f32[n + 1]):
    assert k >= 0
    assert k <= n
    x[n] += 1.0
    x[n] += x[k]

p = merge_writes(p, "x[_] += _ ; x[_] += _")

# case: a literal would become one of integers
# expect: refuse precision
# breaks: precision
@proc
def p(x: f32, a: i8):
    x = 0.5
    x += a

p = merge_writes(p, "x = _ ; x += _")

# case: each of two fractions is cut off, but not their sum
# family: 3
# expect: refuse precision
# breaks: precision
@proc
def p(x: i32, a: f32):
    a = 0.5
    x = a
    x += a

p = merge_writes(p, "x = _ ; x += _")

# case: a write to a field is no write to a cell
# expect: refuse writes
@config
class Cfg:
    n: size

@proc
def p(x: f32):
    Cfg.n = 2
    x = 1.0

p = merge_writes(p, "Cfg.n = _ ; x = _")

# case: a loop between is no write
# expect: refuse writes
@proc
def p(x: f32):
    x = 1.0
    for i in seq(0, 3):
        x += 1.0

p = merge_writes(p, "x = _ ; for i in _: _")

# case: one statement is not two
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = merge_writes(p, "x = _")

# case: one cell in the branch where the variables are equal, two in its copy
# family: 1
# expect: refuse same_cell
# breaks: same_cell
@proc
def p(i: index, j: index, x: f32[8]):
    assert 0 <= i and i < 8 and 0 <= j and j < 8
    x[i] = 1.0
    x[j] = 2.0
p = specialize(p, "x[i] = _ ; x[j] = _", "i == j")
p = merge_writes(p, "x[i] = 1.0 ; x[j] = 2.0 #1")
