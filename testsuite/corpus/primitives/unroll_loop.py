# case: Two iterations.
# expect: accept
@proc
def p(x: f32[4]):
    for i in seq(2, 4):
        x[i] = 1.0
p = unroll_loop(p, "i")

# case: One iteration, which may add to a cell.
# expect: accept
@proc
def p(x: f32[4]):
    for i in seq(0, 1):
        x[i] += 1.0
p = unroll_loop(p, "i")

# case: No iteration.
# expect: accept
@proc
def p(x: f32[4]):
    for i in seq(3, 3):
        x[i] += 1.0
p = unroll_loop(p, "i")

# case: A loop that runs backwards, next to other statements.
# expect: accept
@proc
def p(x: f32[4]):
    x[0] = 2.0
    for i in seq(3, 1):
        x[i] += 1.0
    x[1] = 2.0
p = unroll_loop(p, "i")

# case: Negative values.
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(-2, 1):
        x[3 - i] = 1.0
        x[2 * i + 4] += 2.0
p = unroll_loop(p, "i")

# case: Bounds that are literals after folding.
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(4 - 3, 2 * 2 - 1):
        x[i] = 1.0
p = unroll_loop(p, "i")

# case: Every copy has buffers, windows and variables of its own.
# family: 6
# expect: accept
@proc
def p(n: size, x: f32[n + 2]):
    for i in seq(0, 2):
        t: f32[i + 1]
        w = x[i:n + i]
        for j in seq(0, i + 1):
            t[j] = x[j]
        w[0] = t[i]
p = unroll_loop(p, "i")

# case: An inner loop of the same name keeps its variable.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n + 2]):
    for i in seq(0, 2):
        x[i] = 0.0
        for i in seq(0, n):
            x[i] += 1.0
p = unroll_loop(p, "i")

# case: The variable stands in guards, quotients and arguments of calls.
# expect: accept
@proc
def put(k: index, d: [f32][4]):
    assert 0 <= k
    assert k < 4
    d[k] = 1.0
@proc
def p(x: f32[8]):
    for i in seq(0, 3):
        if i % 2 == 0:
            put(i, x[i:i + 4])
        else:
            x[i / 2] = 2.0
p = unroll_loop(p, "i")

# case: The iterations of a parallel loop run one after another.
# expect: accept
@proc
def p(x: f32[4]):
    for i in par(0, 3):
        x[i] += x[3]
p = unroll_loop(p, "i")

# case: The loop in a loop.
# expect: accept
@proc
def p(n: size, x: f32[n, 2]):
    for i in seq(0, n):
        for j in seq(0, 2):
            x[i, j] = 1.0
p = unroll_loop(p, "j")

# case: The bound is an argument.
# expect: refuse constant
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = unroll_loop(p, "i")

# case: The bound is constant by an assertion only.
# expect: refuse constant
@proc
def p(n: size, x: f32[n]):
    assert n == 2
    for i in seq(0, n):
        x[i] = 1.0
p = unroll_loop(p, "i")

# case: Only the length is constant.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n + 2]):
    for i in seq(n, n + 2):
        x[i] = 1.0
p = unroll_loop(p, "i")

# case: The bound is a field.
# expect: refuse constant
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    Cfg.n = 2
    for i in seq(0, Cfg.n):
        x[i] = 1.0
p = unroll_loop(p, "i")

# case: There are too many iterations to write out.
# expect: refuse constant
@proc
def p(x: f32[8192]):
    for i in seq(0, 8192):
        x[i] = 1.0
p = unroll_loop(p, "i")

# case: A field of sort size is never set to 0, but the copy that would do it does not run.
# expect: refuse well_typed
@config
class Cfg:
    n: size
@proc
def p(x: f32):
    for i in seq(0, 2):
        if i > 0:
            Cfg.n = i
p = unroll_loop(p, "i")

# case: There is no such loop.
# expect: invalid
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 1.0
p = unroll_loop(p, "j")

# case: A loop around the variable of another one, in which one value is written and added to.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n + 4]):
    for i in seq(0, n):
        for j in seq(i + 1, i + 4):
            x[j] += 2.0
p = unroll_loop(p, "j")

# case: A loop that starts at a field, and runs backwards.
# exo-refuses
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    for i in seq(Cfg.n, Cfg.n - 1):
        x[0] = 1.0
    x[1] = 2.0
p = unroll_loop(p, "i")

# case: The body moves the field where the loop starts.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    assert Cfg.n >= 0 and Cfg.n <= 1
    for i in seq(Cfg.n, Cfg.n + 2):
        x[i] = 1.0
        Cfg.n = 4
p = unroll_loop(p, "i")
