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
