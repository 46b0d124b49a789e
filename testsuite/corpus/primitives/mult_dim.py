# case: the last dimension joins the first
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    a: f32[n, m, 4]
    for i in seq(0, n):
        for j in seq(0, m):
            for k in seq(0, 4):
                a[i, j, k] = x[i, j]
            x[i, j] = a[i, j, 0] + a[i, j, 3]
p = mult_dim(p, "a", 0, 2)

# case: neighbours
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n, 3]
    for i in seq(0, n):
        a[i, 2] = x[i]
    for i in seq(0, n):
        x[i] += a[i, 2]
p = mult_dim(p, "a", 0, 1)

# case: the lower one stands first
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[3, 2, n]
    for i in seq(0, n):
        a[2, 1, i] = x[i]
    for i in seq(0, n):
        x[i] += a[2, 1, i]
p = mult_dim(p, "a", 2, 0)

# case: undoes divide_dim
# expect: accept
@proc
def p(x: f32[12]):
    a: f32[12]
    for i in seq(0, 12):
        a[i] = x[i]
    for i in seq(0, 12):
        x[i] = a[11 - i]
p = divide_dim(p, "a", 0, 4)
p = mult_dim(p, "a", 0, 1)

# case: a window along the lower one
# expect: accept
@proc
def f(t: [f32][4]):
    assert stride(t, 0) == 1
    for i in seq(0, 4):
        t[i] = 1.0
@proc
def p(n: size, x: f32[n]):
    a: f32[n, 4]
    for i in seq(0, n):
        f(a[i, 0:4])
        w = a[i, 1:3]
        w[1] = 5.0
        x[i] = a[i, 2]
p = mult_dim(p, "a", 0, 1)

# case: a window along a dimension that stays
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[2, n, 4]
    w = a[1, 0:n, 3]
    for i in seq(0, n):
        w[i] = x[i]
        x[i] = a[1, i, 3] * 2.0
p = mult_dim(p, "a", 0, 2)

# case: a stride that stays
# expect: accept
@proc
def p(x: f32):
    a: f32[2, 3, 4]
    a[1, 2, 3] = 1.0
    if stride(a, 0) == 12:
        x = a[1, 2, 3]
p = mult_dim(p, "a", 1, 2)

# case: the lower extent is a variable
# expect: refuse constant
@proc
def p(n: size, m: size, x: f32):
    a: f32[n, m]
    a[0, 0] = 1.0
    x = a[0, 0]
p = mult_dim(p, "a", 0, 1)

# case: a window along the higher one
# expect: refuse windows
@proc
def p(n: size, x: f32):
    a: f32[n, 4]
    w = a[0:n, 1]
    w[0] = 1.0
    x = a[0, 1]
p = mult_dim(p, "a", 0, 1)

# case: a window with a dimension between the two
# expect: refuse windows
@proc
def p(x: f32):
    a: f32[2, 3, 4]
    w = a[1, 0:3, 0:4]
    w[2, 3] = 1.0
    x = a[1, 2, 3]
p = mult_dim(p, "a", 0, 2)

# case: passed as a whole
# expect: refuse windows
@proc
def f(t: f32[2, 4]):
    t[1, 1] = 1.0
@proc
def p(x: f32):
    a: f32[2, 4]
    f(a)
    x = a[1, 1]
p = mult_dim(p, "a", 0, 1)

# case: the stride of a dimension between them
# expect: refuse strides
# breaks: strides
@proc
def p(x: f32):
    a: f32[2, 3, 4]
    a[1, 2, 3] = 1.0
    if stride(a, 1) == 4:
        x = a[1, 2, 3]
p = mult_dim(p, "a", 0, 2)

# case: a callee asks for the stride of a window
# expect: refuse strides
# breaks: strides
@proc
def f(t: [f32][3]):
    assert stride(t, 0) == 4
    t[0] = 1.0
@proc
def p(x: f32):
    a: f32[2, 3, 4]
    f(a[1, 0:3, 2])
    x = a[1, 0, 2]
p = mult_dim(p, "a", 0, 2)

# case: a dimension by itself
# expect: argument
@proc
def p(x: f32):
    a: f32[2, 4]
    a[1, 1] = 1.0
    x = a[1, 1]
p = mult_dim(p, "a", 1, 1)
