# case: a size
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.partial_eval(n=8)

# case: in order
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = 1.0

p = p.partial_eval(2, 3)

# case: a truth value, and an assertion that it decides
# expect: accept
@proc
def p(n: size, b: bool, x: f32[n]):
    assert n % 4 == 0
    assert n <= 8
    for i in seq(0, n):
        if b == True:
            x[i] = 1.0

p = partial_eval(p, n=8, b=True)

# case: an assertion that stays, in what is left
# expect: accept
@proc
def p(n: size, m: size, x: f32[m]):
    assert n + m < 12
    for i in seq(0, m):
        x[i] = 1.0
    for i in seq(m, n):
        x[0] += 1.0

p = p.partial_eval(n=8)

# case: a stride
# expect: accept
@proc
def p(n: size, s: stride, x: [f32][n], y: f32):
    assert stride(x, 0) == s
    if s == 1:
        y = 1.0
    else:
        y = 2.0

p = p.partial_eval(s=2)

# case: a negative index, in an allocation and a call
# expect: accept
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(k: index, n: size, x: f32[n]):
    assert k > -n
    t: f32[n + 4 - k]
    fill(n + 4 - k, t)
    for i in seq(0, n + k):
        x[i] = t[i - k]

p = p.partial_eval(k=-2)

# case: sides of an assertion that the values make true
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    assert n >= 4 and m > 1 and (n < 100 and m < 2 * n)
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = 1.0

p = p.partial_eval(n=64)

# case: nothing
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.partial_eval()

# case: an assertion fails
# expect: argument
@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    for i in seq(0, n):
        x[i] = 1.0

p = p.partial_eval(n=9)

# case: a side of an assertion fails
# expect: argument
@proc
def p(n: size, m: size, x: f32[n, m]):
    assert m > 1 and (n < 8 and m < 2 * n)
    for i in seq(0, n):
        x[i, 0] = 1.0

p = p.partial_eval(n=9)

# case: a size is at least 1
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.partial_eval(n=0)

# case: no such argument
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.partial_eval(m=8)

# case: data
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = p.partial_eval(x=8)

# case: a number for a truth value
# expect: argument
@proc
def p(b: bool, x: f32):
    if b:
        x = 1.0

p = p.partial_eval(b=1)

# case: by name and in order
# expect: argument
@proc
def p(n: size, m: size, x: f32[n, m]):
    x[0, 0] = 1.0

p = p.partial_eval(2, m=3)

# case: too many
# expect: argument
@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0

p = p.partial_eval(2, 3, 4)
