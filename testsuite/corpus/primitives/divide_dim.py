# case: a constant extent
# expect: accept
@proc
def p(x: f32[12]):
    a: f32[12]
    for i in seq(0, 12):
        a[i] = x[i]
    for i in seq(0, 12):
        x[i] = a[11 - i]
p = divide_dim(p, "a", 0, 4)

# case: an extent that an assertion makes a multiple
# expect: accept
@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    a: f32[2, n, 3]
    for i in seq(0, n):
        a[1, i, 2] = x[i]
        x[i] = a[1, i, 2] * 2.0
p = divide_dim(p, "a", 1, 4)

# case: by 1
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[i] = x[i]
        x[i] = a[i]
p = divide_dim(p, "a", 0, 1)

# case: windows within a row, and past the dimension
# expect: accept
@proc
def f(t: [f32][4]):
    assert stride(t, 0) == 1
    for i in seq(0, 4):
        t[i] = 1.0
@proc
def p(x: f32[12]):
    a: f32[2, 12]
    for i in seq(0, 3):
        f(a[1, 4 * i:4 * i + 4])
    w = a[1, 5:7]
    w[0] = 3.0
    for i in seq(0, 12):
        x[i] = a[1, i]
p = divide_dim(p, "a", 1, 4)

# case: strides do not change
# expect: accept
@proc
def p(x: f32):
    a: f32[3, 8, 5]
    a[2, 7, 4] = 1.0
    if stride(a, 0) == 40:
        if stride(a, 1) == 5:
            if stride(a, 2) == 1:
                x = a[2, 7, 4]
p = divide_dim(p, "a", 1, 2)

# case: an index that only a guard bounds
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[8]
    for i in seq(-3, n):
        if 0 <= i and i < 8:
            a[i] = x[i]
            x[i] = a[i] + 1.0
p = divide_dim(p, "a", 0, 8)

# case: cells passed by reference
# expect: accept
@proc
def g(t: f32):
    t = 7.0
@proc
def p(x: f32[6]):
    a: f32[6]
    for i in seq(0, 6):
        g(a[i])
        x[i] = a[i]
p = divide_dim(p, "a", 0, 3)

# case: the last row would be short
# expect: refuse divides
# breaks: divides
@proc
def p(x: f32[6]):
    a: f32[6]
    for i in seq(0, 6):
        a[i] = x[i]
        x[i] = a[i]
p = divide_dim(p, "a", 0, 4)

# case: an extent of which nothing is known
# expect: refuse divides
# breaks: divides
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        a[i] = x[i]
        x[i] = a[i]
p = divide_dim(p, "a", 0, 2)

# case: a window across rows
# expect: refuse one_row
# breaks: one_row
@proc
def p(x: f32[8]):
    a: f32[8]
    w = a[2:6]
    for i in seq(0, 4):
        w[i] = x[i]
    x[5] = a[5]
p = divide_dim(p, "a", 0, 4)

# case: a window that begins anywhere
# expect: refuse one_row
# breaks: one_row
@proc
def f(t: [f32][4]):
    for i in seq(0, 4):
        t[i] = 1.0
@proc
def p(x: f32[12]):
    a: f32[12]
    for i in seq(0, 9):
        f(a[i:i + 4])
        x[i] = a[i + 3]
p = divide_dim(p, "a", 0, 4)

# case: an empty window behind the last row
# expect: refuse one_row
# breaks: one_row
@proc
def p(n: size, x: f32):
    assert n == 8
    a: f32[8]
    w = a[n:n]
    x = 1.0
p = divide_dim(p, "a", 0, 4)

# case: passed as a whole
# expect: refuse windows
@proc
def f(t: [f32][8]):
    t[5] = 1.0
@proc
def p(x: f32):
    a: f32[8]
    f(a)
    x = a[5]
p = divide_dim(p, "a", 0, 4)

# case: no such dimension
# expect: argument
@proc
def p(x: f32):
    a: f32[8]
    a[0] = 1.0
    x = a[0]
p = divide_dim(p, "a", 1, 4)
