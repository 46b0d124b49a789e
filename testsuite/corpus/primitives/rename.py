# case: another name
# expect: accept
@proc
def p(x: f32):
    x = 1.0

p = rename(p, "fast_p")

# case: the same name
# expect: accept
@proc
def p(x: f32):
    x = 1.0

p = rename(p, "p")

# case: the name of an argument
# expect: accept
@proc
def p(x: f32):
    x = 1.0

p = rename(p, "x")

# case: after a rewrite
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = divide_loop(p, "i", 4, ["io", "ii"])
p = rename(p, "p_by_4")

# case: a procedure that calls another
# expect: accept
@proc
def zero(x: f32):
    x = 0.0

@proc
def p(x: f32):
    zero(x)

p = rename(p, "nothing")

# case: the name of a memory, or of a field
# expect: accept
@config
class Cfg:
    n: size

@proc
def p(x: f32):
    Cfg.n = 4
    x = 1.0

p = rename(p, "Cfg_n")

# case: the name of a procedure that it calls
# expect: argument
@proc
def zero(x: f32):
    x = 0.0

@proc
def p(x: f32):
    zero(x)

p = rename(p, "zero")

# case: the name of a procedure that is called by one that it calls
# expect: argument
@proc
def zero(x: f32):
    x = 0.0

@proc
def two(x: f32):
    zero(x)

@proc
def p(x: f32):
    two(x)

p = rename(p, "zero")

# case: no name
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = rename(p, "2fast")

# case: no name at all
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = rename(p, "")

# case: a word of Python
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = rename(p, "while")
# case: a name with a space
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = rename(p, "very fast")
