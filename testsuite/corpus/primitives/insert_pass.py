# case: after a statement
# expect: accept
@proc
def p(x: f32):
    x = 1.0
    x += 2.0

p = insert_pass(p, p.find("x = _").after())

# case: before the first statement of a loop
# expect: accept
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        x += 2.0

p = insert_pass(p, p.find("x += _").before())

# case: in an else branch
# expect: accept
@proc
def p(n: size, x: f32):
    if n < 2:
        x = 1.0
    else:
        x = 2.0

p = insert_pass(p, p.find("x = 2.0").after())

# case: between an allocation and its use
# expect: accept
@proc
def p(n: size, x: f32):
    t: f32[n]
    t[n - 1] = 2.0
    x = t[n - 1]

p = insert_pass(p, p.find("t : _").after())

# case: in a parallel loop
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 1.0

p = insert_pass(p, p.find("x[_] = _").after())

# case: twice at one place
# expect: accept
@proc
def p(x: f32):
    x = 1.0

p = insert_pass(p, p.find("x = _").before())
p = insert_pass(p, p.find("x = _").before())

# case: there is no such place
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = insert_pass(p, "y = _")

# case: a second statement that is not there
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = insert_pass(p, p.find("x = _ #1").before())
# case: behind what has been deleted
# expect: invalid
@proc
def p(x: f32):
    x = 1.0
    pass

c = p.find("pass")
q = delete_pass(p)
q = insert_pass(q, c.after())
# case: an expression is no place between statements
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = insert_pass(p, p.find("x = _").rhs())
# case: an argument is no place between statements
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = insert_pass(p, p.find_alloc_or_arg("x"))
# case: a number is no place
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = insert_pass(p, 3)
