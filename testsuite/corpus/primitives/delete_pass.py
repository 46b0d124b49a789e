# case: between statements
# expect: accept
@proc
def p(x: f32):
    x = 1.0
    pass
    x += 2.0
    pass

p = delete_pass(p)

# case: a loop that does nothing, and a loop in a loop
# expect: accept
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        pass
    x = 1.0
    for i in seq(0, n):
        for j in par(i, n):
            pass
            pass

p = delete_pass(p)

# case: a guard that does nothing
# expect: accept
@proc
def p(n: size, x: f32):
    if n < 3:
        pass
    else:
        pass
    x = 1.0

p = delete_pass(p)

# case: a branch that does nothing keeps its place
# expect: accept
@proc
def p(n: size, x: f32):
    if n < 3:
        pass
    else:
        x = 1.0
        pass

p = delete_pass(p)

# case: an else branch that does nothing
# expect: accept
@proc
def p(n: size, x: f32):
    if n < 3:
        x = 1.0
    else:
        pass

p = delete_pass(p)

# case: a whole procedure that does nothing
# expect: accept
@proc
def p(n: size):
    pass
    for i in seq(0, n):
        pass
    pass

p = delete_pass(p)

# case: a loop that reads a field for nothing
# expect: accept
@config
class Cfg:
    n: size

@proc
def p(x: f32):
    for i in seq(0, Cfg.n):
        if i < Cfg.n:
            pass
    x = 1.0

p = delete_pass(p)

# case: nothing to delete
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = delete_pass(p)

# case: an allocation that nobody uses stays
# expect: accept
@proc
def p(n: size, x: f32[n]):
    t: f32
    pass
    for i in seq(0, n):
        pass
    x[0] = 1.0

p = delete_pass(p)

# case: a call stays, whatever the callee does
# expect: accept
@proc
def nothing(x: f32):
    pass
@proc
def p(x: f32):
    nothing(x)
    pass

p = delete_pass(p)

# case: a write to a field stays
# expect: accept
@config
class Cfg:
    n: size
@proc
def p(n: size, x: f32):
    for i in seq(0, 4):
        pass
        Cfg.n = n
        pass

p = delete_pass(p)

# case: a window stays, with the pass before it gone
# expect: accept
@proc
def p(n: size, x: f32[n]):
    pass
    w = x[0:n]
    for i in seq(0, n):
        pass
        w[i] = 1.0

p = delete_pass(p)
