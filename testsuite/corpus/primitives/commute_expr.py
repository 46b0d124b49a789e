# case: a sum
# expect: accept
@proc
def p(x: f32[4], y: f32[4]):
    for i in seq(0, 4):
        x[i] = y[i] + 2.0 * x[i]

p = commute_expr(p, "y[_] + _")

# case: a product inside a sum
# expect: accept
@proc
def p(x: f32[4], y: f32[4]):
    for i in seq(0, 4):
        x[i] = y[i] + 2.0 * x[i]

p = commute_expr(p, "2.0 * _")

# case: all sums at once, one inside the other
# expect: accept
@proc
def p(a: f32, b: f32, c: f32):
    a = a + (b + c)
    b += b + c

p = commute_expr(p, "_ + _")

# case: an index, and a reduction
# expect: accept
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i + 1] += x[i] * 3.0

p = commute_expr(p, "i + 1")

# case: in an argument of an extern, in the precision of integers
# expect: accept
@proc
def p(a: i8, b: i8, c: i32):
    c = relu(a * b)

p = commute_expr(p, "a * b")

# case: in a bound, an extent and a window
# expect: accept
@proc
def p(n: size):
    t: f32[n + 2]
    w = t[1:n + 2]
    for i in seq(0, n + 1):
        w[i] = 1.0

p = commute_expr(p, "n + _")

# case: in the condition of a guard inside an else branch
# expect: accept
@proc
def p(n: size, k: index, x: f32):
    if k < 0:
        pass
    else:
        if k + n > 3:
            x = 0.0

p = commute_expr(p, "k + n")

# case: a difference does not commute
# expect: refuse operator
@proc
def p(a: f32, b: f32):
    a = a - b

p = commute_expr(p, "a - b")

# case: a quotient does not commute
# expect: refuse operator
@proc
def p(a: f32, b: f32):
    a = a / 2.0

p = commute_expr(p, "a / _")

# case: a comparison is no sum
# expect: refuse operator
@proc
def p(n: size, a: f32):
    if n < 3:
        a = 1.0

p = commute_expr(p, "n < 3")

# case: a literal is no sum
# expect: refuse operator
@proc
def p(a: f32):
    a = 1.0

p = commute_expr(p, "1.0")

# case: a remainder does not commute
# expect: refuse operator
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i % 1] = 0.0

p = commute_expr(p, "i % _")

# case: there is no such expression
# expect: invalid
@proc
def p(a: f32, b: f32):
    a = a + b

p = commute_expr(p, "b + a")
