# case: the cell comes first
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = x[i] + y[i]

p = fold_into_reduce(p, "x[_] = _")

# case: the cell comes last
# expect: accept
@proc
def p(x: f32, y: f32):
    x = 2.0 * y + x

p = fold_into_reduce(p, "x = _")

# case: something is subtracted
# expect: accept
@proc
def p(x: f32, y: f32):
    x = x - y

p = fold_into_reduce(p, "x = _")

# case: the cell stands among other terms
# expect: accept
@proc
def p(x: f32, y: f32):
    x = y + x + 2.0 - y * y

p = fold_into_reduce(p, "x = _")

# case: the rest reads the cell as well
# expect: accept
@proc
def p(x: f32, y: f32):
    x = x + x * y

p = fold_into_reduce(p, "x = _")

# case: the same cell in other words, in a guard
# expect: accept
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n + 1):
        if i == n:
            x[i] = x[n] + 1.0

p = fold_into_reduce(p, "x[_] = _")

# case: the same cell through a window
# expect: accept
@proc
def p(x: f32[8]):
    w = x[2:6]
    w[1] = x[3] + 1.0

p = fold_into_reduce(p, "w[_] = _")

# case: integers
# expect: accept
@proc
def p(x: i8, a: i32):
    x = x - 3.0 * a

p = fold_into_reduce(p, "x = _")

# case: the second of two cells is the one
# expect: accept
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i] = x[i + 1] + x[i]

p = fold_into_reduce(p, "x[_] = _")

# case: another cell
# family: 3
# expect: refuse same_cell
# breaks: same_cell
@proc
def p(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i] = x[i + 1] + 1.0

p = fold_into_reduce(p, "x[_] = _")

# case: the cell in some iterations only
# family: 3
# expect: refuse same_cell
# breaks: same_cell
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = x[n - 1 - i] + 1.0

p = fold_into_reduce(p, "x[_] = _")

# case: a neighbour through a window
# expect: refuse same_cell
# breaks: same_cell
@proc
def p(x: f32[8]):
    w = x[2:6]
    w[1] = x[1] + 1.0

p = fold_into_reduce(p, "w[_] = _")

# case: the rest alone would be of integers
# expect: refuse precision
# breaks: precision
@proc
def p(x: f32, a: i8):
    x = x + 0.5 * a

p = fold_into_reduce(p, "x = _")

# case: the rest would be cut off before it is added
# expect: refuse precision
# breaks: precision
@proc
def p(x: i32, a: f32):
    a = 0.5
    x = -3.0
    x = x + a

p = fold_into_reduce(p, "x = x + _")

# case: the cell is subtracted
# expect: refuse term
@proc
def p(x: f32, y: f32):
    x = y - x

p = fold_into_reduce(p, "x = _")

# case: the cell is multiplied
# expect: refuse term
@proc
def p(x: f32, y: f32):
    x = x * y + y

p = fold_into_reduce(p, "x = _")

# case: the cell alone is no sum
# expect: refuse term
@proc
def p(x: f32):
    x = x

p = fold_into_reduce(p, "x = _")

# case: another buffer
# expect: refuse term
@proc
def p(x: f32, y: f32):
    x = y + 1.0

p = fold_into_reduce(p, "x = _")

# case: a reduction is one already
# expect: invalid
@proc
def p(x: f32):
    x += x + 1.0

p = fold_into_reduce(p, "x += _")
