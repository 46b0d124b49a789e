# case: without dimensions
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32
        a = x[i]
        x[i] = a
p = autolift_alloc(p, "a")

# case: a place for each iteration
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        a: f32
        a = x[i]
        x[i] = a
p = autolift_alloc(p, "a", keep_dims=True)

# case: a place for each iteration, of what was computed before
# expect: accept
@proc
def p(x: f32[1], y: f32[8]):
    for j in seq(0, 8):
        b: f32
        b = y[j]
        c: f32
        c = b * 2.0
        x[0] += c
p = autolift_alloc(p, "c", keep_dims=True)

# case: two loops, outer one first
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m, 4]):
    for i in seq(0, n):
        for j in seq(0, m):
            a: f32[4]
            for k in seq(0, 4):
                a[k] = x[i, j, k]
                x[i, j, k] = a[k] * 2.0
p = autolift_alloc(p, "a", 2, keep_dims=True)

# case: two loops, behind the old dimensions
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m, 4]):
    for i in seq(0, n):
        for j in seq(0, m):
            a: f32[4]
            for k in seq(0, 4):
                a[k] = x[i, j, k]
                x[i, j, k] = a[k] * 2.0
p = autolift_alloc(p, "a", 2, "col", keep_dims=True)

# case: a dimension of a given size
# expect: accept
@proc
def p(x: f32[6]):
    for i in seq(0, 6):
        a: f32
        a = x[i]
        x[i] = a
p = autolift_alloc(p, "a", size=8, keep_dims=True)

# case: no dimension for a loop that does not matter
# expect: accept
@proc
def p(n: size, m: size, x: f32[n], y: f32[m]):
    for i in seq(0, n):
        for j in seq(0, m):
            a: f32
            a = x[i]
            y[j] += a
p = autolift_alloc(p, "a", 2, keep_dims=True)

# case: a loop that starts elsewhere, and more lifts than there are loops
# expect: accept
@proc
def p(n: size, x: f32[n + 2]):
    for i in seq(2, n + 2):
        a: f32
        a = x[i]
        x[i] = a
p = autolift_alloc(p, "a", 5, keep_dims=True)

# case: a loop that may have no iteration, and a place more
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n - 1):
        a: f32
        a = x[i]
        x[i] = a
p = autolift_alloc(p, "a", keep_dims=True)

# case: a loop of which only the length is known to be positive
# expect: accept
@proc
def p(n: size, k: index, x: f32[n]):
    for i in seq(k, n + k):
        a: f32
        a = x[i - k]
        x[i - k] = a
p = autolift_alloc(p, "a", keep_dims=True)

# case: out of a parallel loop, with a place for each iteration
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        a: f32
        a = x[i]
        x[i] = a * 2.0
p = autolift_alloc(p, "a", keep_dims=True)

# case: out of a parallel loop
# expect: refuse parallel
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        a: f32
        a = x[i]
        x[i] = a * 2.0
p = autolift_alloc(p, "a")

# case: a size that is too small
# expect: refuse in_bounds
@proc
def p(x: f32[6]):
    for i in seq(0, 6):
        a: f32
        a = x[i]
        x[i] = a
p = autolift_alloc(p, "a", size=4, keep_dims=True)

# case: a loop that may have no iteration
# expect: refuse nonnegative
@proc
def p(n: size, k: index, x: f32[n]):
    for i in seq(0, k):
        if i < n:
            a: f32
            a = x[i]
            x[i] = a
p = autolift_alloc(p, "a", 2, keep_dims=True)

# case: the bound of the inner loop depends on the outer one
# family: 6
# expect: refuse extents
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            a: f32
            a = x[i, j]
            x[i, j] = a
p = autolift_alloc(p, "a", 2, keep_dims=True)

# case: A callee that only reads a buffer changes nothing in it
# expect: accept
@proc
def use(y: [f32][8], b: [f32][8]):
    for j in seq(0, 8):
        y[j] = b[j]
@proc
def p(n: size, y: f32[n, 8]):
    for i in seq(0, n):
        a: f32[8]
        for j in seq(0, 8):
            a[j] = 1.0
        use(y[i, 0:8], a[0:8])
p = autolift_alloc(p, "a", keep_dims=True)

# case: A callee writes what it reads elsewhere
# expect: accept
@proc
def use(y: [f32][8], b: [f32][8]):
    for j in seq(0, 8):
        y[j] = b[j]
@proc
def p(n: size, x: f32[n, 8], y: f32[n, 8]):
    for i in seq(0, n):
        a: f32[8]
        use(a[0:8], x[i, 0:8])
        use(y[i, 0:8], a[0:8])
p = autolift_alloc(p, "a", keep_dims=True)

# case: Of two that a callee writes, each depends on what it reads alone
# expect: accept
@proc
def clear(b: [f32][8], y: [f32][8]):
    for j in seq(0, 8):
        b[j] = 0.0
        y[j] = 0.0
@proc
def p(n: size, y: f32[n, 8]):
    for i in seq(0, n):
        a: f32[8]
        clear(a[0:8], y[i, 0:8])
        y[i, 1] = y[i, 0] + a[0]
p = autolift_alloc(p, "a", keep_dims=True)

# case: What is written through a window
# expect: accept
@proc
def p(n: size, x: f32[n, 4], y: f32[n, 4]):
    for i in seq(0, n):
        a: f32[8]
        w = a[0:4]
        for j in seq(0, 4):
            w[j] = x[i, j]
        for j in seq(0, 4):
            y[i, j] = a[j]
p = autolift_alloc(p, "a", keep_dims=True)

# case: around nothing
# expect: argument
@proc
def p(x: f32):
    a: f32
    a = x
    x = a
p = autolift_alloc(p, "a")

# case: neither rows nor columns
# expect: argument
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        a: f32
        a = x[i]
        x[i] = a
p = autolift_alloc(p, "a", mode="diagonal")
