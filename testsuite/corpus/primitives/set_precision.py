# case: an allocation of reals
# expect: accept
@proc
def p(n: size, x: f32[n]):
    t: R[n]
    for i in seq(0, n):
        t[i] = x[i]
    for i in seq(0, n):
        x[i] = 2.0 * t[i]

p = set_precision(p, "t", "f32")

# case: an argument
# expect: accept
@proc
def p(n: size, x: R[n]):
    for i in seq(0, n):
        x[i] = x[i] * 0.5

p = set_precision(p, "x", "f64")

# case: through windows of it
# expect: accept
@proc
def p(x: f32[8]):
    t: f32[8]
    w = t[2:6]
    for i in seq(0, 4):
        w[i] = x[i]
    for i in seq(0, 4):
        x[i] = w[i]

p = set_precision(p, "t", "f64")

# case: less precise
# expect: accept
@proc
def p(x: f64[4]):
    t: f64
    t = x[0] / 3.0
    x[1] = t

p = set_precision(p, "t", "f16")

# case: the precision that it has
# expect: accept
@proc
def p(x: i8[4]):
    for i in seq(0, 4):
        x[i] = x[i] + x[i]

p = set_precision(p, "x", "i8")

# case: next to integers
# expect: accept
@proc
def p(x: i8[4], y: f32[4]):
    for i in seq(0, 4):
        y[i] = x[i]

p = set_precision(p, "y", "f64")

# case: a bare name of a type
# expect: accept
@proc
def p(x: R[4]):
    for i in seq(0, 4):
        x[i] = 1.0

p = set_precision(p, "x", f32)

# case: a half is no integer
# expect: refuse floating
# breaks: floating
@proc
def p(y: f32[2], x: i8):
    t: f32
    t = 0.5
    y[0] = t
    y[1] = t + t

p = set_precision(p, "t", "i8")

# case: an integer that wraps is no number that does not
# expect: refuse floating
# breaks: floating
@proc
def p(y: i32):
    t: i8
    t = 100.0
    t = t + t
    y = t

p = set_precision(p, "t", "f32")

# case: wider integers do not wrap where narrow ones do
# expect: refuse floating
@proc
def p(y: i32):
    t: i8
    t = 100.0
    t = t + t
    y = t

p = set_precision(p, "t", "i32")

# case: reals that the schedule makes integers
# expect: accept
@proc
def p(x: R[4]):
    for i in seq(0, 4):
        x[i] = 0.5 * x[i]

p = set_precision(p, "x", "i32")

# case: a callee takes another precision
# expect: refuse well_typed
@proc
def clear(x: [f32][4] @ DRAM):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(y: f32[4]):
    t: f32[4]
    clear(t)
    y[0] = t[0]

p = set_precision(p, "t", "f64")

# case: no type
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = set_precision(p, "x", "float")

# case: no buffer
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = set_precision(p, "y", "f32")

# case: an allocation of reals that the schedule makes integers
# expect: accept
@proc
def p(n: size, x: R[n], y: i8[n]):
    for i in seq(0, n):
        t: R
        t = x[i] * 3.0
        y[i] = t

p = set_precision(p, "t", "i8")

# case: integers that the program names are not the reals
# expect: refuse floating
@proc
def p(y: i32):
    t: i8
    t = 100.0
    y = t + t

p = set_precision(p, "t", "R")
