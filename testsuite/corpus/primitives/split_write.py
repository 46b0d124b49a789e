# case: an assignment
# expect: accept
@proc
def p(x: f32, y: f32, z: f32):
    x = y + z

p = split_write(p, "x = _")

# case: a reduction, of three terms
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] += y[i] + 2.0 * y[i] + 1.0

p = split_write(p, "x[_] += _")

# case: the first term reads the cell
# expect: accept
@proc
def p(x: f32, y: f32):
    x = x * x + y

p = split_write(p, "x = _")

# case: the first term of a reduction reads the cell
# expect: accept
@proc
def p(x: f32, y: f32):
    x += x + y

p = split_write(p, "x += _")

# case: integers
# expect: accept
@proc
def p(x: i8, a: i8, b: i32):
    x = a * a + b

p = split_write(p, "x = _")

# case: the second term reads a neighbour
# expect: accept
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i] = 1.0 + x[i + 1]

p = split_write(p, "x[_] = _")

# case: in an else branch, in a parallel loop, through a window
# expect: accept
@proc
def p(n: size, x: [f32][n], y: f32[n]):
    for i in par(0, n):
        w: [f32] = x[i]
        if i < 2:
            pass
        else:
            w = y[i] + 1.0

p = split_write(p, "w = _")

# case: the second term reads the cell
# family: 11
# expect: refuse not_read
# breaks: not_read
@proc
def p(x: f32):
    x = 1.0 + x

p = split_write(p, "x = _")

# case: the second term reads the cell through a window
# family: 8
# expect: refuse not_read
# breaks: not_read
@proc
def p(x: f32[4], y: f32):
    w = x[1:3]
    x[1] += y + w[0]

p = split_write(p, "x[_] += _")

# case: the second term may read the cell
# family: 11
# expect: refuse not_read
# breaks: not_read
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0 + x[n - 1 - i]

p = split_write(p, "x[_] = _")

# case: a literal beside an integer is an integer
# expect: refuse precision
# breaks: precision
@proc
def p(x: f32, a: i8):
    x = 0.5 + a

p = split_write(p, "x = _")

# case: two fractions that are cut off one by one
# expect: refuse precision
# breaks: precision
@proc
def p(x: i32, a: f32):
    a = 0.5
    x = a + a

p = split_write(p, "x = _")

# case: a difference
# expect: refuse sum
@proc
def p(x: f32, y: f32):
    x = y - x

p = split_write(p, "x = _")

# case: a product of a sum
# expect: refuse sum
@proc
def p(x: f32, y: f32):
    x = 2.0 * (y + x)

p = split_write(p, "x = _")

# case: a sum in an extern
# expect: refuse sum
@proc
def p(x: f32, y: f32):
    x = relu(y + x)

p = split_write(p, "x = _")

# case: a loop is no write
# expect: invalid
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        x += 1.0 + x

p = split_write(p, "for i in _: _")
