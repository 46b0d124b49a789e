# case: two dimensions
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    a: f32[n, m]
    for i in seq(0, n):
        for j in seq(0, m):
            a[i, j] = x[i, j]
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = a[i, j] + a[i, 0]
p = rearrange_dim(p, "a", [1, 0])

# case: three dimensions in a circle
# expect: accept
@proc
def p(n: size, x: f32[n, 2, 3]):
    a: f32[n, 2, 3]
    for i in seq(0, n):
        for j in seq(0, 2):
            for k in seq(0, 3):
                a[i, j, k] = x[i, j, k]
                x[i, j, k] += a[i, j, k]
p = rearrange_dim(p, "a", [2, 0, 1])

# case: a window that keeps one dimension
# expect: accept
@proc
def f(t: [f32][4]):
    for i in seq(0, 4):
        t[i] = 1.0
@proc
def p(x: f32[4]):
    a: f32[3, 4]
    f(a[1, 0:4])
    w = a[1, :]
    for i in seq(0, 4):
        x[i] = w[i]
p = rearrange_dim(p, "a", [1, 0])

# case: a window whose dimensions stay in order
# expect: accept
@proc
def p(x: f32[2, 3]):
    a: f32[2, 5, 3]
    w = a[0:2, 1, 0:3]
    for i in seq(0, 2):
        for j in seq(0, 3):
            w[i, j] = x[i, j]
            x[i, j] = a[i, 1, j] * 2.0
p = rearrange_dim(p, "a", [1, 0, 2])

# case: a stride that is the same in both
# expect: accept
@proc
def p(x: f32):
    a: f32[4, 4]
    a[1, 2] = 1.0
    if stride(a, 0) == 4:
        x = a[1, 2]
p = rearrange_dim(p, "a", [0, 1])

# case: nothing changes places
# expect: accept
@proc
def f(t: f32[4]):
    t[3] = 1.0
@proc
def p(x: f32):
    a: f32[4]
    f(a)
    x = a[3]
p = rearrange_dim(p, "a", [0])

# case: extents of 1 on the way
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[1, n]
    for i in seq(0, n):
        a[0, i] = x[i]
        x[i] = a[0, i]
p = rearrange_dim(p, "a", [1, 0])

# case: a window that keeps both
# expect: refuse windows
@proc
def p(x: f32[2, 3]):
    a: f32[2, 3]
    w = a[0:2, 0:3]
    w[1, 2] = 1.0
    x[1, 2] = a[1, 2]
p = rearrange_dim(p, "a", [1, 0])

# case: an argument that keeps both
# expect: refuse windows
@proc
def f(t: [f32][3, 3]):
    t[0, 1] = 1.0
@proc
def p(x: f32[3, 3]):
    a: f32[3, 3]
    a[1, 0] = 2.0
    f(a[0:3, 0:3])
    x[0, 1] = a[0, 1]
p = rearrange_dim(p, "a", [1, 0])

# case: passed as a whole
# expect: refuse windows
@proc
def f(t: f32[3, 3]):
    t[0, 1] = 1.0
@proc
def p(x: f32[3, 3]):
    a: f32[3, 3]
    f(a)
    x[0, 1] = a[0, 1]
p = rearrange_dim(p, "a", [1, 0])

# case: a callee asks for the stride
# expect: refuse strides
# breaks: strides
@proc
def f(t: [f32][4]):
    assert stride(t, 0) == 1
    t[1] = 1.0
@proc
def p(x: f32):
    a: f32[3, 4]
    f(a[0, 0:4])
    x = a[0, 1]
p = rearrange_dim(p, "a", [1, 0])

# case: the program asks for the stride of a window
# expect: refuse strides
# breaks: strides
@proc
def p(x: f32):
    a: f32[3, 4]
    a[0, 0] = 2.0
    w = a[0, 0:4]
    if stride(w, 0) == 1:
        x = 1.0
p = rearrange_dim(p, "a", [1, 0])

# case: the stride is kept in the configuration
# expect: refuse strides
# breaks: strides
@config
class Cfg:
    s: stride
@proc
def p(x: f32):
    a: f32[3, 4]
    a[0, 0] = 1.0
    Cfg.s = stride(a, 0)
    x = a[0, 0]
p = rearrange_dim(p, "a", [1, 0])

# case: no permutation
# expect: argument
@proc
def p(x: f32):
    a: f32[3, 4]
    a[0, 0] = 1.0
    x = a[0, 0]
p = rearrange_dim(p, "a", [0, 0])

# case: Its rows are passed for a tensor, and would be columns.
# family: 8
# expect: refuse well_typed
@proc
def f(x: f32[4]):
    x[0] = 1.0
@proc
def p(y: f32):
    a: f32[3, 4]
    f(a[1, :])
    y = a[1, 0]
p = rearrange_dim(p, "a", [1, 0])
