# case: A scalar is set often instead of once.
# expect: accept
@proc
def p(x: f32):
    x = 1.0
p = add_loop(p, "x = _", "i", 4)

# case: A size is at least 1.
# expect: accept
@proc
def p(n: size, x: f32):
    x = 1.0
p = add_loop(p, "x = _", "i", "n")

# case: A guard leaves the statement to the first iteration, so it may add to a cell.
# expect: accept
@proc
def p(n: size, x: f32):
    x += 1.0
p = add_loop(p, "x += _", "i", "n", guard=True)

# case: Two statements, the first of which clears what the second adds to.
# expect: accept
@proc
def p(n: size, x: f32, y: f32):
    x = 0.0
    x += y
p = add_loop(p, "x = _ ; x += _", "i", "n")

# case: The guard around the statement says that the bound is positive.
# exo-refuses
# expect: accept
@proc
def p(n: size, k: index, x: f32):
    if k > 2:
        x = 1.0
p = add_loop(p, "x = _", "i", "k - 2")

# case: The bound is a variable of the loop around, where it is positive.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for j in seq(1, n):
        x[j] = 1.0
p = add_loop(p, "x[_] = _", "i", "j")

# case: The new name is that of a variable in use.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = add_loop(p, "x[_] = _", "i", "n")

# case: A loop that writes every cell anew.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for j in seq(0, n):
        x[j] = y[j]
p = add_loop(p, "j", "i", 2)

# case: A statement that may not run at all.
# expect: accept
@proc
def p(n: size, k: index, x: f32[n]):
    if k > 0:
        x[0] = 1.0
p = add_loop(p, "if _: _", "i", 2)

# case: A buffer and its uses, together.
# expect: accept
@proc
def p(x: f32):
    t: f32
    t = 2.0
    x = t
p = add_loop(p, "t: _ ; t = _ ; x = _", "i", 2)

# case: The field of the bound is changed by the statement, which comes later.
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32):
    Cfg.n = 3
    Cfg.n = 1
p = add_loop(p, "Cfg.n = 1", "i", "Cfg.n")

# case: A loop of one iteration may do anything.
# expect: accept
@proc
def p(x: f32):
    x += 1.0
p = add_loop(p, "x += _", "i", 1)

# case: The bound is a field that may not be set.
# expect: refuse readable
@config
class Cfg:
    n: size
@proc
def p(x: f32, y: f32):
    x = 1.0
    for i in seq(0, Cfg.n):
        y = 1.0
p = add_loop(p, "x = _", "i", "Cfg.n")

# case: The bound may be 0.
# expect: refuse positive
# breaks: positive
@proc
def p(n: size, x: f32):
    x = 1.0
p = add_loop(p, "x = _", "i", "n - 1")

# case: The bound may be 0 behind the guard too.
# expect: refuse positive
# breaks: positive
@proc
def p(n: size, x: f32):
    x += 1.0
p = add_loop(p, "x += _", "i", "n / 2", guard=True)

# case: The bound is an argument that may be negative.
# expect: refuse positive
# breaks: positive
@proc
def p(k: index, x: f32):
    x = 1.0
p = add_loop(p, "x = _", "i", "k")

# case: The statement adds to a cell.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(n: size, x: f32):
    x += 1.0
p = add_loop(p, "x += _", "i", 2)

# case: The statement reads the cell that it writes.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(n: size, x: f32):
    x = x * 2.0
p = add_loop(p, "x = _", "i", 2)

# case: The loop moves cells along a buffer.
# expect: refuse idempotent
# breaks: idempotent
@proc
def p(n: size, x: f32[n + 1]):
    for j in seq(0, n):
        x[j] = x[j + 1]
p = add_loop(p, "j", "i", 2)

# case: The field is read before it is written.
# expect: refuse idempotent
# breaks: idempotent
@config
class Cfg:
    n: index
@proc
def p(x: f32):
    Cfg.n = Cfg.n + 1
p = add_loop(p, "Cfg.n = _", "i", 2)

# case: Only the allocation would be inside.
# expect: refuse scope
@proc
def p(x: f32):
    t: f32
    t = 2.0
    x = t
p = add_loop(p, "t: _", "i", 2)

# case: The bound is read from a field that another thread writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[2]):
    Cfg.n = 2
    for k in par(0, 2):
        if k == 0:
            Cfg.n = 2
        x[k] = 1.0
p = add_loop(p, "x[_] = _", "i", "Cfg.n")

# case: The bound is data.
# expect: argument
@proc
def p(x: f32):
    x = 1.0
p = add_loop(p, "x = _", "i", "x")

# case: There is no such statement.
# expect: invalid
@proc
def p(x: f32):
    x = 1.0
p = add_loop(p, "x += _", "i", 2)
