# case: a loop
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m + 1], y: f32[m]):
    assert n >= 4
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] += y[j]

p, q = extract_subproc(p, "for j in _: _", "row")

# case: what is known at the place
# expect: accept
@proc
def p(n: size, x: f32[n]):
    assert n % 8 == 0
    for i in seq(0, n):
        if i < 4:
            x[i] = 0.0
        else:
            if 2 * i < n:
                x[2 * i] = 1.0

p, q = extract_subproc(p, "x[2 * i] = _", "set")

# case: and nothing of it
# expect: accept
@proc
def p(n: size, x: f32[n]):
    assert n % 8 == 0
    for i in seq(0, n):
        x[i] = 0.0

p, q = extract_subproc(p, "x[_] = _", "set", include_asserts=False)

# case: windows and allocations
# expect: accept
@proc
def p(n: size, x: f32[n, n + 2]):
    t: f32[n]
    for i in seq(0, n):
        w = x[i, 1:n + 1]
        for j in seq(0, n):
            t[j] = w[j]
        for j in seq(0, n):
            u: f32
            u = t[j] * 2.0
            w[j] = u

p, q = extract_subproc(p, p.find_loop("i").body()[1:3], "work", True)

# case: all of a body, with configuration
# expect: accept
@config
class Cfg:
    k: size

@proc
def p(x: f32[8]):
    Cfg.k = 3
    for i in seq(0, 8):
        if i < Cfg.k:
            x[i] = 1.0

p, q = extract_subproc(p, p.body(), "all")

# case: truth values, strides and scalars
# expect: accept
@proc
def p(on: bool, k: index, s: f32, x: [f32][8]):
    assert stride(x, 0) == 1
    for i in seq(0, 8):
        if on and i < k:
            if stride(x, 0) == 1:
                x[i] = s

p, q = extract_subproc(p, "for i in _: _", "fill")

# case: an extent of a buffer brings its names
# expect: accept
@proc
def p(n: size, m: size, x: f32[4]):
    t: f32[n + m, 2 * m]
    for i in seq(0, 4):
        t[0, 1] = 1.0
        x[i] = t[0, 1]

p, q = extract_subproc(p, "for i in _: _", "q")

# case: in a parallel loop, beside a window of the same buffer that is not used
# expect: accept
@proc
def p(n: size, x: f32[n]):
    w = x[0:1]
    for i in par(0, n):
        x[i] = 1.0

p, q = extract_subproc(p, "x[_] = _", "q")

# case: a call
# expect: accept
@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        clear(i + 1, x[i, 0:i + 1])

p, q = extract_subproc(p, "clear(_)", "q")

# case: what is defined there is used afterwards
# expect: refuse scope
@proc
def p(x: f32):
    t: f32
    t = 1.0
    x = t

p, q = extract_subproc(p, p.body()[0:2], "q")

# case: so is a window
# expect: refuse scope
@proc
def p(x: f32[8]):
    w = x[2:4]
    w[0] = 1.0
    w[1] = 1.0

p, q = extract_subproc(p, p.body()[0:2], "q")

# case: a buffer and a window of it
# expect: refuse aliasing
@proc
def p(x: f32[8]):
    w = x[2:6]
    for i in seq(0, 4):
        w[i] = x[i]

p, q = extract_subproc(p, "for i in _: _", "q")

# case: the name of the procedure
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p, q = extract_subproc(p, "x = _", "p")

# case: the name of a procedure that it calls
# expect: argument
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32):
    x = 1.0
    clear(x)

p, q = extract_subproc(p, "x = _", "clear")

# case: no name
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p, q = extract_subproc(p, "x = _", "a b")

# case: no such statement
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p, q = extract_subproc(p, "y = _", "q")

# case: a window that is passed for a tensor, whose strides the new procedure does not know
# expect: refuse well_typed
@proc
def f(x: f32[8]):
    x[0] = 1.0

@proc
def p(A: f32[2, 8]):
    w = A[1, :]
    f(w)
    A[0, 0] = 2.0

p, q = extract_subproc(p, "f(_)", "sub", include_asserts=False)

# case: a window that is passed for a tensor: that it is dense is asserted
# expect: accept
@proc
def f(x: f32[8]):
    x[0] = 1.0

@proc
def p(A: f32[2, 8]):
    w = A[1, :]
    f(w)
    A[0, 0] = 2.0

p, q = extract_subproc(p, "f(_)", "sub")

# case: a column is not dense, and nothing says that it is
# expect: refuse well_typed
@proc
def f(x: [f32][2]):
    x[0] = 1.0

@proc
def g(x: f32[2]):
    x[0] = 1.0

@proc
def p(A: f32[2, 8], B: f32[2, 2]):
    w = A[:, 1]
    v = B[1, :]
    f(w)
    g(v)

q, low = extract_subproc(p, "f(_)", "low")
p, high = extract_subproc(q, "g(_)", "high", include_asserts=False)

# case: what is asserted of a field holds at the call, and not what held before it was written
# expect: accept
@config
class Cfg:
    k: index

@proc
def p(x: f32[8]):
    assert Cfg.k == 3
    Cfg.k = 4
    if Cfg.k < 8:
        if 0 <= Cfg.k:
            x[Cfg.k] = 1.0

p, q = extract_subproc(p, "x[_] = _", "q")

# case: an extent that reads a field would be the type of an argument
# expect: refuse well_typed
@config
class Cfg:
    n: size

@proc
def p(x: f32[8]):
    assert Cfg.n <= 7
    w = x[0:Cfg.n]
    w[0] = 1.0

p, q = extract_subproc(p, "w[_] = _", "q")

# case: what an index needs is asserted where it follows from what is no argument
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert m <= n
    for j in seq(0, m):
        x[j] = 1.0

p, q = extract_subproc(p, "x[_] = _", "q")

# case: the first and the last iteration of a loop in it
# expect: accept
@proc
def p(n: size, m: size, x: f32[n + m]):
    for i in seq(0, n):
        for j in seq(i, i + m):
            x[j] = 1.0

p, q = extract_subproc(p, "for j in _: _", "q")

# case: what a callee asserts of strides and fields
# expect: accept
@config
class Cfg:
    s: stride

@proc
def g(x: [f32][4]):
    assert Cfg.s == stride(x, 0)
    x[0] = 1.0

@proc
def p(y: [f32][4, 8]):
    Cfg.s = stride(y, 0)
    g(y[:, 2])

p, q = extract_subproc(p, "g(_)", "q")

# case: a plane of three dimensions is dense
# expect: accept
@proc
def g(x: f32[4, 4]):
    x[0, 0] = 1.0

@proc
def p(x: f32[2, 4, 4]):
    v = x[1, :, :]
    g(v)

p, q = extract_subproc(p, "g(_)", "q")
