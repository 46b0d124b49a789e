# case: a tensor becomes a window
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

p = set_window(p, "x", True)

# case: by default
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = 0.0

p = set_window(p, "x")

# case: a window becomes a tensor, for fewer inputs
# expect: accept
@proc
def p(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

p = set_window(p, "x", is_window=False)

# case: the stride of a window is its own
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    assert stride(x, 1) == 1
    for i in seq(0, n):
        x[i, 0] = 1.0

p = set_window(p, "x")

# case: a scalar
# expect: accept
@proc
def p(x: f32, y: f32):
    x = y

p = set_window(p, "x")

# case: windows of it, and callees that take windows
# expect: accept
@proc
def clear(x: [f32][4] @ DRAM):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    w = x[2:6]
    clear(w)
    clear(x[0:4])

p = set_window(p, "x")

# case: what it is already
# expect: accept
@proc
def p(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

p = set_window(p, "x", True)

# case: a callee takes a tensor
# expect: refuse well_typed
@proc
def clear(x: f32[4] @ DRAM):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[4]):
    clear(x)

p = set_window(p, "x")

# case: an allocation is never a window
# expect: argument
@proc
def p(x: f32[4]):
    t: f32
    t = x[0]
    x[1] = t

p = set_window(p, "t : _")

# case: no such argument
# expect: invalid
@proc
def p(x: f32[4]):
    x[1] = 0.0

p = set_window(p, "y")

# case: a control argument
# expect: invalid
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = set_window(p, "n")

# case: neither yes nor no
# expect: argument
@proc
def p(x: f32[4]):
    x[0] = 1.0

p = set_window(p, "x", "yes")

# case: a window statement
# expect: invalid
@proc
def p(x: f32[4]):
    w = x[0:2]
    w[0] = 1.0

p = set_window(p, "w")

# case: a callee asserts what only a tensor has
# expect: refuse asserts
@proc
def copy(x: [f32][4], y: f32[4]):
    assert stride(x, 0) == 1
    for i in seq(0, 4):
        y[i] = x[i]

@proc
def p(x: f32[4], y: f32[4]):
    copy(x, y)

p = set_window(p, "x")
