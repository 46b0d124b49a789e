# case: two places
# expect: accept
@proc
def p(x: f32[2]):
    a: f32[2]
    a[0] = x[0]
    a[1] = x[1]
    x[0] = a[1]
    x[1] = a[0]
p = unroll_buffer(p, "a", 0)

# case: one of three dimensions
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n, 2, 3]
    for i in seq(0, n):
        a[i, 0, 1] = x[i]
        a[i, 1, 1] = 2.0
    for i in seq(0, n):
        x[i] = a[i, 0, 1] * a[i, 1, 1]
p = unroll_buffer(p, "a", 1)

# case: places that nothing uses
# expect: accept
@proc
def p(x: f32[4]):
    a: f32[4]
    a[1] = x[0]
    a[3] = 2.0
    x[1] = a[1]
p = unroll_buffer(p, "a", 0)

# case: a buffer that nothing uses
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32[4]
    x[0] = 1.0
p = unroll_buffer(p, "a", 0)

# case: an extent of 1
# expect: accept
@proc
def p(x: f32):
    a: f32[1]
    a[0] = x
    x = a[0] + 1.0
p = unroll_buffer(p, "a", 0)

# case: an index that adds up to a number
# expect: accept
@proc
def p(n: size, x: f32[4]):
    a: f32[4]
    for i in seq(0, n):
        a[i + 2 - i] = x[2]
    x[0] = 1.0
    if n > 0:
        x[1] = a[2]
p = unroll_buffer(p, "a", 0)

# case: windows and arguments of one place
# expect: accept
@proc
def f(t: [f32][3]):
    assert stride(t, 0) == 1
    t[1] = 1.0
@proc
def g(t: f32):
    t = 5.0
@proc
def p(x: f32):
    a: f32[2, 3]
    b: f32[2]
    f(a[1, 0:3])
    w = a[0, 1:3]
    w[0] = 2.0
    g(b[1])
    x = a[1, 1] + a[0, 1]
p = unroll_buffer(p, "a", 0)

# case: a scalar passed by reference
# expect: accept
@proc
def g(t: f32):
    t = 5.0
@proc
def p(x: f32):
    b: f32[2]
    g(b[1])
    x = b[1]
p = unroll_buffer(p, "b", 0)

# case: after the loop over it is unrolled
# expect: accept
@proc
def p(x: f32[3]):
    a: f32[3]
    for i in seq(0, 3):
        a[i] = x[i]
    for i in seq(0, 3):
        x[i] = a[i]
p = unroll_loop(p, "i")
p = unroll_loop(p, "i")
p = unroll_buffer(p, "a", 0)

# case: an extent that is no number
# expect: refuse constant
@proc
def p(n: size, x: f32):
    a: f32[n]
    a[0] = 1.0
    x = a[0]
p = unroll_buffer(p, "a", 0)

# case: an index that is no number
# expect: refuse constant_index
@proc
def p(x: f32[2]):
    a: f32[2]
    for i in seq(0, 2):
        a[i] = x[i]
        x[i] = a[i]
p = unroll_buffer(p, "a", 0)

# case: a window along the dimension
# expect: refuse windows
@proc
def p(x: f32):
    a: f32[4]
    w = a[1:3]
    w[0] = 1.0
    x = a[1]
p = unroll_buffer(p, "a", 0)

# case: passed as a whole
# expect: refuse windows
@proc
def f(t: f32[2]):
    t[1] = 1.0
@proc
def p(x: f32):
    a: f32[2]
    f(a)
    x = a[1]
p = unroll_buffer(p, "a", 0)

# case: a stride across the dimension
# expect: refuse strides
# breaks: strides
@proc
def f(t: [f32][3]):
    assert stride(t, 0) == 2
    t[1] = 1.0
@proc
def p(x: f32):
    a: f32[3, 2]
    f(a[0:3, 0])
    x = a[1, 0]
p = unroll_buffer(p, "a", 1)

# case: the stride of the dimension itself
# expect: refuse windows
@proc
def p(x: f32):
    a: f32[2, 3]
    a[1, 1] = 1.0
    if stride(a, 0) == 3:
        x = a[1, 1]
p = unroll_buffer(p, "a", 0)

# case: no such dimension
# expect: argument
@proc
def p(x: f32):
    a: f32[2]
    a[1] = 1.0
    x = a[1]
p = unroll_buffer(p, "a", 1)
