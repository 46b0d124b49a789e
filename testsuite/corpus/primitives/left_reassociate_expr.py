# case: a sum of three
# expect: accept
@proc
def p(a: f32, b: f32, c: f32):
    a = a + (b + c)

p = left_reassociate_expr(p, "a + _")

# case: a product of three
# expect: accept
@proc
def p(a: f32, b: f32, c: f32):
    a = a * (b * c)

p = left_reassociate_expr(p, "a * _")

# case: integers, which wrap the same whichever way
# expect: accept
@proc
def p(a: i8, b: i8, c: i32):
    a = a + (b + c)

p = left_reassociate_expr(p, "a + _")

# case: a reduction, with a literal among the terms
# expect: accept
@proc
def p(n: size, x: f32[n], y: f64[n]):
    for i in seq(0, n):
        y[i] += 0.5 + (x[i] + y[i])

p = left_reassociate_expr(p, "0.5 + _")

# case: an index
# expect: accept
@proc
def p(n: size, x: f32[2 * n + 2]):
    for i in seq(0, n):
        x[i + (n + 1)] = 0.0

p = left_reassociate_expr(p, "i + _")

# case: integers in an index of floating-point data do not mix with it
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32):
    for i in seq(0, n):
        y += x[i] + (y + x[n - i - 1])

p = left_reassociate_expr(p, "x[_] + _")

# case: integers would be added before they are made floating, and wrap
# expect: refuse precision
# breaks: precision
@proc
def p(a: i32, b: i32, y: f64):
    for i in seq(0, 3):
        a = 2000000000.0
        b = 2000000000.0
    y = a + (b + y)

p = left_reassociate_expr(p, "a + _")

# case: floating-point numbers end in an integer
# expect: refuse precision
@proc
def p(a: f32, b: f32, y: i32):
    y = a + (b + a)

p = left_reassociate_expr(p, "a + _")

# case: a field of integers among floating-point numbers
# expect: refuse precision
@config
class Cfg:
    gain: i32

@proc
def p(a: f32, b: f32):
    a = Cfg.gain + (b + a)

p = left_reassociate_expr(p, "Cfg.gain + _")

# case: the right operand is a product
# expect: refuse operator
@proc
def p(a: f32, b: f32, c: f32):
    a = a + b * c

p = left_reassociate_expr(p, "a + _")

# case: it is left-associated already
# expect: refuse operator
@proc
def p(a: f32, b: f32, c: f32):
    a = a + b + c

p = left_reassociate_expr(p, "_ + c")

# case: differences do not associate
# expect: refuse operator
@proc
def p(a: f32, b: f32, c: f32):
    a = a - (b - c)

p = left_reassociate_expr(p, "a - _")

# case: a sum of a difference
# expect: refuse operator
@proc
def p(a: f32, b: f32, c: f32):
    a = a + (b - c)

p = left_reassociate_expr(p, "a + _")

# case: a statement is no expression
# expect: invalid
@proc
def p(a: f32, b: f32, c: f32):
    a = a + (b + c)

p = left_reassociate_expr(p, "b = _")
