# case: a loop between equal bounds
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(n, n):
        x[i] = 1.0
    x[0] = 2.0

p = eliminate_dead_code(p, "i")

# case: a loop that ends before it begins, under an assertion; nothing else is there
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    assert m >= n + 2
    for i in seq(m, n + 1):
        x[0] = 1.0

p = eliminate_dead_code(p, "i")

# case: a triangle's corner
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i == n - 1:
            for j in seq(i + 1, n):
                x[j] = 1.0
        x[i] = 2.0

p = eliminate_dead_code(p, "j")

# case: a condition that always holds, with an allocation in the branch
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i < n:
            t: f32
            t = 1.0
            x[i] = t
        else:
            x[0] = 3.0

p = eliminate_dead_code(p, "if _: _")

# case: a condition that never holds, without an else
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i < 0:
            x[i] = 1.0

p = eliminate_dead_code(p, "if _: _")

# case: a condition that never holds, with an else of two statements
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if n < i:
            x[i] = 1.0
        else:
            x[i] = 2.0
            x[0] = 3.0

p = eliminate_dead_code(p, "if _: _")

# case: the same condition again inside, and in an else its opposite
# expect: accept
@proc
def p(n: size, k: index, x: f32):
    if k < 3:
        x = 1.0
    else:
        if k >= 3:
            x = 2.0
        else:
            x = 3.0

p = eliminate_dead_code(p, "if k >= 3: _")

# case: a field whose value is known
# expect: accept
@config
class Cfg:
    fast: bool

@proc
def p(n: size, x: f32):
    Cfg.fast = n > 0
    if Cfg.fast:
        x = 1.0
    else:
        x = 2.0

p = eliminate_dead_code(p, "if _: _")

# case: a loop that runs sometimes
# expect: refuse never_runs
# breaks: never_runs
@proc
def p(n: size, x: f32):
    for i in seq(0, n - 1):
        x = 1.0

p = eliminate_dead_code(p, "i")

# case: a loop that never runs in the first iteration
# expect: refuse never_runs
# breaks: never_runs
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(0, i):
            x[j] += 1.0

p = eliminate_dead_code(p, "j")

# case: a loop of one iteration
# expect: refuse never_runs
# breaks: never_runs
@proc
def p(n: size, x: f32):
    for i in seq(n, n + 1):
        x = 1.0

p = eliminate_dead_code(p, "i")

# case: a condition that holds for some sizes
# expect: refuse decided
# breaks: decided
@proc
def p(n: size, x: f32):
    if n > 3:
        x = 1.0

p = eliminate_dead_code(p, "if _: _")

# case: a condition that the loop makes true in most iterations
# expect: refuse decided
# breaks: decided
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i > 0:
            x[i] = 1.0
        else:
            x[i] = 2.0

p = eliminate_dead_code(p, "if _: _")

# case: a field that an earlier iteration changes
# family: 4
# expect: refuse decided
# breaks: decided
@config
class Cfg:
    first: bool

@proc
def p(n: size, x: f32[n]):
    Cfg.first = True
    for i in seq(0, n):
        if Cfg.first:
            x[i] = 1.0
        Cfg.first = False

p = eliminate_dead_code(p, "if _: _")

# case: a field that a callee may have changed
# expect: refuse decided
# breaks: decided
@config
class Cfg:
    n: size

@proc
def set(k: size):
    Cfg.n = k

@proc
def p(k: size, x: f32):
    Cfg.n = 1
    set(k)
    if Cfg.n == 1:
        x = 1.0

p = eliminate_dead_code(p, "if _: _")

# case: what holds in one branch is asked in the other
# expect: refuse decided
# breaks: decided
@proc
def p(k: index, x: f32):
    if k < 3:
        x = 1.0
    else:
        if k < 5:
            x = 2.0

p = eliminate_dead_code(p, "if k < 5: _")

# case: an assignment is neither
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = eliminate_dead_code(p, "x = _")

# case: the two iterations of a loop that was unrolled: each copy of the guard is decided by its own number
# family: 1
# expect: accept
@proc
def p(x: f32[2]):
    for i in seq(0, 2):
        if i == 0:
            x[i] = 1.0
        else:
            x[i] = 2.0
p = unroll_loop(p, "i")
p = eliminate_dead_code(p, "if _: _ #1")

# case: the copy in the other branch of a specialised statement does not know what the first one knows
# family: 1
# expect: refuse decided
# breaks: decided
@proc
def p(n: size, x: f32):
    if n > 3:
        x = 1.0
    else:
        x = 2.0
p = specialize(p, "if _: _", "n > 4")
p = eliminate_dead_code(p, "if n > 3: _ #1")

# case: the copy in the first branch of a specialised statement does
# family: 1
# expect: accept
@proc
def p(n: size, x: f32):
    if n > 3:
        x = 1.0
    else:
        x = 2.0
p = specialize(p, "if _: _", "n > 4")
p = eliminate_dead_code(p, "if n > 3: _ #0")
