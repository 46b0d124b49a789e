# case: a scalar
# expect: accept
@proc
def p(n: size, a: f32, x: f32, y: f32[n]):
    x = 0.0
    for i in seq(0, n):
        x += a * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: a literal, also where no iteration runs
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    x = 0.0
    for i in seq(0, n - 1):
        x += 2.0 * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the constant comes last, among three factors
# expect: accept
@proc
def p(n: size, a: f32[n], x: f32[n], y: f32[n]):
    for j in seq(0, n):
        x[j] = 0.0
        for i in seq(0, n):
            x[j] += y[i] * y[j] * a[i]

p = lift_reduce_constant(p, "x[_] = _ ; for i in _: _")

# case: two reductions, in a loop and a guard
# expect: accept
@proc
def p(n: size, a: f32, x: f32, y: f32[n, n]):
    x = 0.0
    for i in seq(0, n):
        for j in seq(0, n):
            if i < j:
                x += a * y[i, j]
            else:
                x += y[j, i] * a

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: another cell of the same buffer is touched as well
# expect: accept
@proc
def p(n: size, a: f32, x: f32[2], y: f32[n]):
    x[0] = 0.0
    for i in seq(0, n):
        x[0] += a * y[i]
        x[1] += y[i]

p = lift_reduce_constant(p, "x[_] = _ ; for i in _: _")

# case: the cell through a window, the constant a field
# expect: accept
@config
class Cfg:
    scale: f32

@proc
def p(n: size, x: f32[n + 2], y: f32[n]):
    w = x[1:]
    x[2] = 0.0
    for i in seq(0, n):
        w[1] += Cfg.scale * y[i]

p = lift_reduce_constant(p, "x[_] = _ ; for i in _: _")

# case: integers
# expect: accept
@proc
def p(n: size, a: i8, x: i8, y: i32[n]):
    x = 0.0
    for i in seq(0, n):
        x += a * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the sum does not begin at zero
# family: 11
# expect: refuse zero
# breaks: zero
@proc
def p(n: size, a: f32, x: f32, y: f32[n]):
    x = 1.0
    for i in seq(0, n):
        x += a * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the sum begins at another buffer's value
# expect: refuse zero
# breaks: zero
@proc
def p(n: size, a: f32, x: f32, y: f32[n]):
    x = a
    for i in seq(0, n):
        x += a * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: each iteration has its own cell
# expect: refuse same_cell
# breaks: same_cell
@proc
def p(n: size, a: f32, x: f32[n], y: f32[n]):
    x[0] = 0.0
    for i in seq(0, n):
        x[i] += a * y[i]

p = lift_reduce_constant(p, "x[_] = _ ; for i in _: _")

# case: the cell is another one after the loop
# expect: refuse same_cell
# breaks: same_cell
@config
class Cfg:
    at: index

@proc
def p(n: size, a: f32, x: f32[4], y: f32[n]):
    Cfg.at = 0
    x[Cfg.at] = 0.0
    for i in seq(0, n):
        x[0] += a * y[i]
        Cfg.at = 1

p = lift_reduce_constant(p, "x[_] = _ ; for i in _: _")

# case: two constants
# family: 3
# expect: refuse same_factor
# breaks: same_factor
@proc
def p(n: size, k: index, a: f32[n], x: f32, y: f32[n]):
    assert k >= 0
    assert k < n
    x = 0.0
    for i in seq(0, n):
        x += a[0] * y[i]
        x += a[k] * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: another constant after a field has changed
# family: 3
# expect: refuse same_factor
# breaks: same_factor
@config
class Cfg:
    at: index

@proc
def p(n: size, a: f32[2], x: f32, y: f32[n]):
    Cfg.at = 0
    x = 0.0
    for i in seq(0, n):
        x += a[Cfg.at] * y[i]
        Cfg.at = 1

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the sum is read before it is done
# expect: refuse only
# breaks: only
@proc
def p(n: size, a: f32, x: f32, y: f32[n], z: f32[n]):
    x = 0.0
    for i in seq(0, n):
        x += a * y[i]
        z[i] = x

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: something is added without the constant
# expect: refuse only
# breaks: only
@proc
def p(n: size, a: f32, x: f32[2], y: f32[n]):
    w = x[0:1]
    x[0] = 0.0
    for i in seq(0, n):
        x[0] += a * y[i]
        w[0] = 1.0

p = lift_reduce_constant(p, "x[_] = _ ; for i in _: _")

# case: the constant is the sum itself
# expect: refuse only
@proc
def p(n: size, x: f32, y: f32[n]):
    x = 0.0
    for i in seq(0, n):
        x += x * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the constant changes
# expect: refuse unchanged
# breaks: unchanged
@proc
def p(n: size, a: f32, x: f32, y: f32[n]):
    x = 0.0
    for i in seq(0, n):
        x += a * y[i]
        a = 3.0

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the constant may change
# expect: refuse unchanged
# breaks: unchanged
@proc
def p(n: size, k: index, a: f32[n], x: f32, y: f32[n]):
    assert k >= 0
    assert k < n
    x = 0.0
    for i in seq(0, n):
        x += a[k] * y[i]
        a[i] += 1.0

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: no iteration runs, and the constant has no value
# expect: refuse evaluated
# breaks: evaluated
@proc
def p(n: size, x: f32, y: f32[n]):
    a: f32
    if n > 1:
        a = 2.0
    x = 0.0
    for i in seq(0, n - 1):
        x += a * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: no iteration runs, and the constant is out of bounds
# expect: refuse evaluated
# breaks: evaluated
@proc
def p(n: size, x: f32, y: f32[n]):
    x = 0.0
    for i in seq(1, n):
        x += y[1] * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: each product is cut off
# expect: refuse precision
# breaks: precision
@proc
def p(n: size, x: i32, y: f32[n]):
    for i in seq(0, n):
        y[i] = 0.5
    x = 0.0
    for i in seq(0, n):
        x += 2.0 * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: no two factors are the same
# expect: refuse scaled
@proc
def p(n: size, a: f32[n], x: f32, y: f32[n]):
    x = 0.0
    for i in seq(0, n):
        x += a[i] * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: a quotient is no product
# expect: refuse scaled
@proc
def p(n: size, a: f32, x: f32, y: f32[n]):
    x = 0.0
    for i in seq(0, n):
        x += y[i] / a

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the factors are local to the loop
# expect: refuse scaled
@proc
def p(n: size, x: f32, y: f32[n]):
    x = 0.0
    for i in seq(0, n):
        a: f32
        a = y[i]
        x += a * a

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: the loop is not right after the assignment
# expect: invalid
@proc
def p(n: size, a: f32, x: f32, y: f32[n]):
    x = 0.0
    a = 1.0
    for i in seq(0, n):
        x += a * y[i]

p = lift_reduce_constant(p, "x = _ ; for i in _: _")

# case: everything is local
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    a: f32[2]
    a[1] = y[0]
    s: f32[3]
    s[2] = 0.0
    for i in seq(0, n):
        t: f32
        t = y[i]
        s[2] += a[1] * t
    x = s[2]

p = lift_reduce_constant(p, "s[_] = _ ; for i in _: _")
