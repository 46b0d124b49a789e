# case: From the begin of a part to 0.
# expect: accept
@proc
def p(n: size, x: f32[n + 3]):
    for i in seq(3, n + 3):
        x[i] = 1.0
p = shift_loop(p, "i", 0)

# case: To a later begin.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[n - 1 - i] += 1.0
p = shift_loop(p, "i", "n")

# case: To a negative begin.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = shift_loop(p, "i", "-n")

# case: To where it begins already.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = shift_loop(p, "i", 0)

# case: A loop that never runs.
# expect: accept
@proc
def p(x: f32[4]):
    for i in seq(5, 2):
        x[i] = 1.0
p = shift_loop(p, "i", 1)

# case: The new begin moves with the loop around it.
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(i, n):
            x[i, j] = 1.0
p = shift_loop(p, "j", "2 * i")

# case: The variable stands in quotients, remainders, guards, windows and extents.
# family: 6
# expect: accept
@proc
def p(n: size, x: f32[2 * n + 8]):
    for i in seq(1, n):
        if i % 3 == 1:
            w = x[i / 2:i + 4]
            t: f32[i]
            for k in seq(0, i):
                t[k] = 1.0
            w[i % 2] = t[i - 1]
p = shift_loop(p, "i", 4)

# case: An inner loop of the same name has a variable of its own.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):
        x[i, i] = 0.0
        for i in seq(0, n):
            x[i, 0] += 1.0
p = shift_loop(p, "i", 2)

# case: The body changes the field of the new begin where the variable is no longer used.
# exo-refuses
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 2
    for i in seq(0, 8):
        x[i] = 1.0
        if i == 7:
            Cfg.n = 5
p = shift_loop(p, "i", "Cfg.n")

# case: A parallel loop whose bounds no thread changes.
# expect: accept
@proc
def p(x: f32[8]):
    for i in par(0, 8):
        x[i] = 1.0
p = shift_loop(p, "i", 1)

# case: The body moves the old begin.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 2
    for i in seq(Cfg.n, 6):
        x[i] += 1.0
        Cfg.n = 1
p = shift_loop(p, "i", 0)

# case: The body moves the new begin.
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 2
    for i in seq(1, 6):
        x[i] += 1.0
        Cfg.n = 1
p = shift_loop(p, "i", "Cfg.n")

# case: The body moves the old begin and puts it back, but uses the variable in between.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 0
    for i in seq(Cfg.n, 6):
        Cfg.n = 1
        x[i] += 1.0
        Cfg.n = 0
p = shift_loop(p, "i", 1)

# case: A callee moves the begin before the guard asks for the variable.
# family: 2
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def set(k: index):
    Cfg.n = k
@proc
def p(x: f32[8]):
    Cfg.n = 0
    for k in seq(0, 2):
        for i in seq(Cfg.n, 6):
            set(k)
            if i == 0:
                x[k] = 1.0
p = shift_loop(p, "i", 1)

# case: Every thread would ask for the old begin, which one of them writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 1
    for i in par(Cfg.n, 8):
        x[i] = 1.0
        if i == 1:
            Cfg.n = 1
p = shift_loop(p, "i", 0)

# case: The new begin is no index.
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = shift_loop(p, "i", "n < 3")

# case: The new begin is not in scope.
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(0, i):
            x[i] = 1.0
p = shift_loop(p, "i", "j")

# case: The pattern finds no loop.
# expect: invalid
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = shift_loop(p, "x[_] = _", 3)

# case: The body leaves the field where the loop starts as it is, if another one is set.
# family: 2
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
    m: index
@proc
def p(x: f32[8]):
    assert Cfg.n >= 0
    for i in seq(Cfg.n, 8):
        Cfg.n = Cfg.n + Cfg.m - Cfg.m
        x[i] = 1.0
p = shift_loop(p, "i", 0)
