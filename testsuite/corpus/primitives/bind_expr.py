# case: a cell
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = 2.0 * x[i]
p = bind_expr(p, "x[_]", "t")

# case: a product inside of a sum, in a reduction
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n], z: f32):
    for i in seq(0, n):
        z += x[i] * y[i] + 1.0
p = bind_expr(p, "x[_] * y[_]", "t")

# case: all of the right-hand side, which reads what is written
# expect: accept
@proc
def p(x: f32):
    x = x + 1.0
p = bind_expr(p, "x + 1.0", "t")

# case: two occurrences in two statements
# expect: accept
@proc
def p(x: f32[4], y: f32[4]):
    y[0] = x[1] * 2.0
    y[1] = x[1] * 2.0 + 1.0
p = bind_expr(p, ["x[1] * 2.0 #0", "x[1] * 2.0 #1"], "t")

# case: the second statement changes the operand only after it has read it
# expect: accept
@proc
def p(x: f32[4], y: f32):
    y = x[1]
    x[1] = x[1] + 1.0
p = bind_expr(p, ["x[1] #0", "x[1] #1"], "t")

# case: cse in one statement
# expect: accept
@proc
def p(x: f32, y: f32):
    y = (x + 1.0) * (x + 1.0)
p = bind_expr(p, "x + 1.0", "t", cse=True)

# case: out of loops that may not run, since the cell exists anyway
# expect: accept
@proc
def p(n: size, k: index, x: f32[n], y: f32[4]):
    for i in seq(0, k):
        y[0] += x[n - 1]
    for i in seq(0, k):
        y[1] += x[n - 1]
p = bind_expr(p, ["x[_] #0", "x[_] #1"], "t")

# case: passed by reference to a callee that only reads it
# expect: accept
@proc
def f(t: f32, y: f32):
    y = t
@proc
def p(x: f32[4], y: f32):
    f(x[2], y)
p = bind_expr(p, p.find("f(_)").args()[0], "t")

# case: a literal, a data field and an extern
# expect: accept
@config
class Cfg:
    scale: f32
@proc
def p(x: f32):
    x = relu(x * Cfg.scale) + 0.5
p = bind_expr(p, "0.5", "h")
p = bind_expr(p, "Cfg.scale", "s")
p = bind_expr(p, "relu(_)", "r")

# case: a cell of integers
# expect: accept
@proc
def p(x: i8[4], y: i32):
    y = x[0] * x[1]
p = bind_expr(p, "x[0]", "t")

# case: inside of a parallel loop
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        y[i] = x[i] + 1.0
p = bind_expr(p, "x[_]", "t")

# case: a cell that need not exist
# expect: refuse bounds
# breaks: bounds
@proc
def p(n: size, x: f32[n], y: f32[4]):
    if n > 4:
        y[0] = x[4]
        y[1] = 1.0
    if n > 5:
        y[1] = x[4]
p = bind_expr(p, ["x[4] #0", "x[4] #1"], "t")

# case: changed between the occurrences
# expect: refuse unchanged
# breaks: unchanged
@proc
def p(x: f32, y: f32[2]):
    y[0] = x
    x = 2.0
    y[1] = x
p = bind_expr(p, ["x #0", "x #1"], "t")

# case: changed through a window
# family: 8
# expect: refuse unchanged
# breaks: unchanged
@proc
def p(x: f32[4], y: f32[2]):
    w = x[1:3]
    y[0] = x[1]
    w[0] = 2.0
    y[1] = x[1]
p = bind_expr(p, ["x[1] #0", "x[1] #1"], "t")

# case: changed by a callee
# family: 9
# expect: refuse unchanged
# breaks: unchanged
@proc
def f(t: [f32][2]):
    t[0] = 3.0
@proc
def p(x: f32[4], y: f32[2]):
    y[0] = x[1]
    f(x[1:3])
    y[1] = x[1]
p = bind_expr(p, ["x[1] #0", "x[1] #1"], "t")

# case: another cell, since the configuration changes
# family: 2 3
# expect: refuse unchanged
# breaks: unchanged
@config
class Cfg:
    k: index
@proc
def p(x: f32[4], y: f32[2]):
    assert Cfg.k == 0
    y[0] = x[Cfg.k]
    Cfg.k = 1
    y[1] = x[Cfg.k]
p = bind_expr(p, ["x[_] #0", "x[_] #1"], "t")

# case: changed by an earlier iteration of the loop that holds the occurrence
# expect: refuse unchanged
# breaks: unchanged
@proc
def p(x: f32, y: f32[4]):
    y[0] = x
    for i in seq(0, 3):
        y[i] += x
        x = 5.0
p = bind_expr(p, ["x #0", "x #1"], "t")

# case: the callee writes what is passed to it
# family: 9
# expect: refuse by_value
# breaks: by_value
@proc
def f(t: f32):
    t = 3.0
@proc
def p(x: f32[4]):
    f(x[2])
p = bind_expr(p, p.find("f(_)").args()[0], "t")

# case: a product of narrow integers, which C computes as int
# expect: refuse precision
# breaks: precision
@proc
def p(x: i8[2], y: i32):
    x[0] = 100.0
    x[1] = 100.0
    y = x[0] * x[1]
p = bind_expr(p, "x[0] * x[1]", "t")

# case: a control expression
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n - 1):
        x[i + 1] = 0.0
p = bind_expr(p, "i + 1", "t")

# case: expressions that are not equal
# expect: argument
@proc
def p(x: f32[4], y: f32[2]):
    y[0] = x[1]
    y[1] = x[2]
p = bind_expr(p, ["x[1]", "x[2]"], "t")

# case: out of both branches of a guard
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32):
    if n > 3:
        y = x[n - 1] * 2.0
    else:
        y = x[n - 1] + 1.0
p = bind_expr(p, ["x[_] #0", "x[_] #1"], "t")

# case: a field that another thread writes
# expect: refuse parallel
# breaks: parallel
@config
class Cfg:
    k: index
@proc
def p(k: index, x: f32[4], y: f32[2]):
    assert Cfg.k == 0
    assert k == 0
    for i in par(0, 2):
        if i == 0:
            Cfg.k = 0
        if k > 0:
            y[i] = x[Cfg.k]
            y[i] += 1.0
        if k > 1:
            y[i] += x[Cfg.k]
p = bind_expr(p, ["x[_] #0", "x[_] #1"], "t")

# case: a cell that another thread writes
# expect: refuse parallel
# breaks: parallel
@proc
def p(k: index, x: f32[4], y: f32[2]):
    assert k == 0
    for i in par(0, 2):
        if i == 0:
            x[0] = 1.0
        if k > 0:
            y[i] = x[0]
            y[i] += 1.0
        if k > 1:
            y[i] += x[0]
p = bind_expr(p, ["x[0] #0", "x[0] #1"], "t")

# case: an index that is a field that nobody may have set
# expect: refuse bounds
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[4], y: f32[2]):
    if n > 3:
        y[0] = x[Cfg.k % 4]
        y[1] = 1.0
    if n > 5:
        y[1] = x[Cfg.k % 4]
p = bind_expr(p, ["x[_] #0", "x[_] #1"], "t")

# case: a sum of narrow integers, of which the cell that is written holds no more bits
# expect: accept
@proc
def p(x: i8, y: i8):
    y = x + 100.0
p = bind_expr(p, "x + 100.0", "t")

# case: a literal that the precision holds
# exo-refuses
# expect: accept
@proc
def p(x: i8, y: i32):
    y = x * 3.0
p = bind_expr(p, "3.0", "t")

# case: a sum of which products and differences are taken, and the same in another statement
# expect: accept
@proc
def p(x: i8, z: i8, y: i8[2]):
    y[0] = (x + z) * 3.0 - z
    y[1] += -(x + z)
p = bind_expr(p, ["x + z #0", "x + z #1"], "t")

# case: a quotient of narrow integers that is all there is
# expect: accept
@proc
def p(x: i8, z: ui8, y: ui8):
    y = (z + 200.0) / 3.0
p = bind_expr(p, "(z + 200.0) / 3.0", "t")

# case: a sum of narrow integers of which a quotient is taken
# expect: refuse precision
# breaks: precision
@proc
def p(x: i8, y: i8):
    x = 100.0
    y = (x + 100.0) / 2.0
p = bind_expr(p, "x + 100.0", "t")

# case: a sum of narrow integers that a wider cell takes
# expect: refuse precision
# breaks: precision
@proc
def p(x: i8, y: i32):
    x = 100.0
    y = x + 100.0
p = bind_expr(p, "x + 100.0", "t")

# case: a sum of narrow integers that a float takes
# expect: refuse precision
# breaks: precision
@proc
def p(x: i8, y: f32):
    x = 100.0
    y = x + 100.0
p = bind_expr(p, "x + 100.0", "t")

# case: a sum of narrow integers of which the larger is taken
# expect: refuse precision
# breaks: precision
@proc
def p(x: i8, y: i8):
    x = 100.0
    y = fmaxf(x + 100.0, x)
p = bind_expr(p, "x + 100.0", "t")

# case: a literal that the precision does not hold
# expect: refuse precision
# breaks: precision
@proc
def p(x: i8, y: i32):
    x = 1.0
    y = x * 300.0
p = bind_expr(p, "300.0", "t")
