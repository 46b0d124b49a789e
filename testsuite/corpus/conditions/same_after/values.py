@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

# proved: data does not matter
@proc
def p(n: size, x: f32):
    x = 1.0  # first
    if n > 3:  # second
        pass

# refuted: the field is set
@proc
def p(n: size, x: f32):
    Cfg.a = n    # first
    if Cfg.a > 3:  # second
        pass

# proved: another field is set
@proc
def p(n: size, x: f32):
    Cfg.b = n    # first
    if Cfg.a > 3:  # second
        pass

# proved: the field is set to what it is
@proc
def p(n: size, x: f32):
    Cfg.a = 2
    Cfg.a = 2    # first
    for i in seq(0, Cfg.a):  # second
        pass

# refuted: the field is set in one branch
@proc
def p(b: bool, x: f32):
    Cfg.a = 2
    if b:  # first
        Cfg.a = 3
    for i in seq(0, Cfg.a):  # second
        pass

# proved: the field is set in a branch that is not taken
@proc
def p(n: size, x: f32):
    if n < 1:  # first
        Cfg.a = 3
    for i in seq(0, Cfg.a):  # second
        pass

# proved: the field changes, the sign of it does not
@proc
def p(n: size, x: f32):
    Cfg.a = 2
    Cfg.a = n    # first
    if Cfg.a > 0:  # second
        pass

# refuted: the field changes, and so does the comparison
@proc
def p(n: size, x: f32):
    Cfg.a = 2
    Cfg.a = n    # first
    if Cfg.a > 1:  # second
        pass

# proved: the remainder stays
@proc
def p(n: size, x: f32):
    Cfg.a = n
    Cfg.a = Cfg.a + 4    # first
    for i in seq(0, Cfg.a % 4):  # second
        pass

# refuted: the quotient does not stay
@proc
def p(n: size, x: f32):
    Cfg.a = n
    Cfg.a = Cfg.a + 4    # first
    for i in seq(0, Cfg.a / 8):  # second
        pass

# proved: a loop that sets it to what it is
@proc
def p(n: size, x: f32):
    Cfg.a = 5
    for k in seq(0, n):  # first
        Cfg.a = 5
    for i in seq(0, Cfg.a):  # second
        pass

# refuted: a loop that counts
@proc
def p(n: size, x: f32):
    Cfg.a = 0
    for k in seq(0, n):  # first
        Cfg.a = Cfg.a + 1
    for i in seq(0, Cfg.a):  # second
        pass

# proved: a loop of no iterations that would count
@proc
def p(x: f32):
    for k in seq(0, 0):  # first
        Cfg.a = Cfg.a + 1
    for i in seq(0, Cfg.a):  # second
        pass

# refuted: a loop in which one iteration passes to the next
@proc
def p(x: f32):
    Cfg.a = 0
    Cfg.b = 1
    for k in seq(0, 2):  # first
        if Cfg.a == 1:
            Cfg.b = 5
        Cfg.a = 1
    for i in seq(0, Cfg.b):  # second
        pass

# refuted: a callee sets it
@proc
def set(x: f32):
    Cfg.a = 9
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 2
    set(x)  # first
    for i in seq(0, Cfg.a):  # second
        pass

# proved: a callee sets it back
@proc
def set(x: f32):
    Cfg.a = 9
    x = 1.0
    Cfg.a = 2

@proc
def p(x: f32):
    Cfg.a = 2
    set(x)  # first
    for i in seq(0, Cfg.a):  # second
        pass

# proved: a callee sets it to its argument
@proc
def set(k: index, x: f32):
    Cfg.a = k
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 2
    set(Cfg.a, x)  # first
    for i in seq(0, Cfg.a):  # second
        pass

# refuted: two fields change places
@proc
def p(n: size, x: f32):
    Cfg.a = 2
    Cfg.b = n
    Cfg.a = Cfg.b  # first
    Cfg.b = 2      # first
    for i in seq(0, Cfg.a):  # second
        pass

# proved: the flag of the enclosing guard is set again
@proc
def p(x: f32):
    if Cfg.flag:
        Cfg.flag = True  # first
        if Cfg.flag:  # second
            pass

# refuted: the flag of the enclosing guard is cleared
@proc
def p(x: f32):
    if Cfg.flag:
        Cfg.flag = False  # first
        if Cfg.flag:  # second
            pass

# proved: a sum in which one goes up and one goes down
@proc
def p(n: size, x: f32):
    Cfg.a = n
    Cfg.b = 7
    Cfg.a = Cfg.a + 1  # first
    Cfg.b = Cfg.b - 1  # first
    for i in seq(0, Cfg.a + Cfg.b):  # second
        pass
