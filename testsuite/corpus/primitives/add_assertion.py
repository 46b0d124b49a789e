# case: a size is a multiple
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("n % 8 == 0")

# case: what it says may be used
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = add_assertion(p, "n % 8 == 0")
p = divide_loop(p, "i", 8, ["io", "ii"], perfect=True)

# case: about two arguments, after others
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert n <= m
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("m <= 2 * n and n > 1")

# case: about a stride
# expect: accept
@proc
def p(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("stride(x, 0) == 1")

# case: about a field
# expect: accept
@config
class Cfg:
    n: size

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, Cfg.n):
        if i < n:
            x[i] = 1.0

p = p.add_assertion("Cfg.n <= n")

# case: what no input satisfies: a size is at least 1
# expect: refuse satisfiable
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("n < 1")

# case: no truth value
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("n + 1")

# case: about data
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("x[0] == 1.0")

# case: about a loop variable
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("i < n")

# case: not quasi-affine
# expect: argument
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("n * m == 8")

# case: what contradicts an earlier assertion
# expect: refuse satisfiable
@proc
def p(n: size, m: size, x: f32[n]):
    assert n < m
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("m <= n")

# case: what contradicts an extent
# expect: refuse satisfiable
@proc
def p(n: size, x: f32[n - 8]):
    x[0] = 1.0

p = p.add_assertion("n < 8")

# case: an even number that is odd
# expect: refuse satisfiable
@proc
def p(n: size, x: f32[n]):
    assert n % 2 == 0
    for i in seq(0, n):
        x[i] = 1.0

p = p.add_assertion("n % 4 == 3")

# case: about the last iteration
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, m):
        if i < n:
            x[i] = 1.0

p = p.add_assertion("m - 1 < n")

# case: of a field that the procedure does not mention
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0
p = add_assertion(p, "Cfg.k > 2")
