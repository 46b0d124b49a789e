# case: A loop out of a loop.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = 1.0
p = lift_scope(p, "j")

# case: A guard out of a loop.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, n):
        if m > 3:
            x[i] = 1.0
p = lift_scope(p, "if _: _")

# case: A guard with an `else` out of a loop.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, n):
        if m > 3:
            x[i] = 1.0
        else:
            t: f32
            t = x[i]
            x[i] = t * t
p = lift_scope(p, "if _: _")

# case: A guard out of a parallel loop.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    for i in par(0, n):
        if m > 3:
            x[i] = 1.0
        else:
            x[i] = 2.0
p = lift_scope(p, "if _: _")

# case: A loop out of a guard.
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    if m > 3:
        for i in seq(0, n):
            x[i] = 1.0
p = lift_scope(p, "i")

# case: A loop out of a guard that says that the bounds make sense.
# expect: accept
@proc
def p(n: size, k: index, x: f32[n]):
    if 0 <= k and k < n:
        for i in seq(k, n):
            x[i] = 1.0
p = lift_scope(p, "i")

# case: A guard out of a guard.
# expect: accept
@proc
def p(n: size, m: size, x: f32):
    if n > 3:
        if m > 3:
            x = 1.0
p = lift_scope(p, "if m > _: _")

# case: A guard out of a guard, each with an `else`.
# expect: accept
@proc
def p(n: size, m: size, x: f32):
    if n > 3:
        if m > 3:
            x = 1.0
        else:
            x = 2.0
    else:
        x = 3.0
p = lift_scope(p, "if m > _: _")

# case: A guard out of a guard with an `else`, without one itself.
# family: 11
# expect: accept
@proc
def p(n: size, m: size, x: f32):
    if n > 3:
        if m > 3:
            x = 1.0
    else:
        x = 3.0
p = lift_scope(p, "if m > _: _")

# case: A guard out of an `else`.
# family: 11
# expect: accept
@proc
def p(n: size, m: size, x: f32):
    if n > 3:
        x = 1.0
    else:
        if m > 3:
            x = 2.0
p = lift_scope(p, "if m > _: _")

# case: A branch changes the field that both guards ask for.
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32):
    if Cfg.n > 3:
        if Cfg.n > 5:
            Cfg.n = 0
            x = 1.0
        else:
            x = 2.0
p = lift_scope(p, "if Cfg.n > 5: _")

# case: The loop changes the condition in its last iteration only.
# exo-refuses
# expect: accept
@config
class Cfg:
    on: bool
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        if Cfg.on:
            x[i] = 1.0
            if i == 3:
                Cfg.on = False
p = lift_scope(p, "if Cfg.on: _")

# case: Something else is in the loop.
# expect: refuse only_statement
@proc
def p(n: size, m: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0
        if m > 3:
            x[i] = 1.0
p = lift_scope(p, "if _: _")

# case: There is nothing around the guard.
# expect: refuse only_statement
@proc
def p(m: size, x: f32):
    if m > 3:
        x = 1.0
p = lift_scope(p, "if _: _")

# case: The guard around the loop has an `else`.
# expect: refuse no_else
# breaks: no_else
@proc
def p(n: size, m: size, x: f32[n]):
    if m > 3:
        for i in seq(0, n):
            x[i] = 1.0
    else:
        x[0] += 2.0
p = lift_scope(p, "i")

# case: The loop is in the `else`, and the other branch writes.
# expect: refuse no_else
@proc
def p(n: size, m: size, x: f32[n]):
    if m > 3:
        x[0] = 2.0
    else:
        for i in seq(0, n):
            x[i] = 1.0
p = lift_scope(p, "i")

# case: The condition asks for the loop variable.
# expect: refuse stable
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i > 3:
            x[i] = 1.0
p = lift_scope(p, "if _: _")

# case: The guard switches itself off.
# family: 4
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    on: bool
@proc
def p(x: f32):
    for i in seq(0, 4):
        if Cfg.on:
            x += 1.0
            Cfg.on = False
p = lift_scope(p, "if _: _")

# case: The loop switches the guard around it off.
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    on: bool
@proc
def p(x: f32):
    if Cfg.on:
        for i in seq(0, 4):
            x += 1.0
            Cfg.on = False
p = lift_scope(p, "i")

# case: The `else` switches the guard on.
# family: 4
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index
@proc
def p(x: f32):
    for i in seq(0, 4):
        if Cfg.k > 2:
            x += 1.0
        else:
            Cfg.k = Cfg.k + 1
p = lift_scope(p, "if _: _")

# case: The first iteration changes the field that ends the inner loop.
# expect: refuse bounds
# breaks: bounds
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        for j in seq(0, Cfg.n):
            if i == 0 and j == 0:
                Cfg.n = 3
            x[i] += 1.0
p = lift_scope(p, "j")

# case: Iterations on a diagonal write the same cell.
# expect: refuse bodies_commute
# breaks: bodies_commute
@proc
def p(n: size, m: size, x: f32[n + m], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i + j] = y[i]
p = lift_scope(p, "j")

# case: Every thread would ask for the inner condition, which one of them writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    on: bool
@proc
def p(x: f32[2]):
    for k in par(0, 2):
        if k == 0:
            if Cfg.on:
                x[k] = 1.0
                Cfg.on = False
p = lift_scope(p, "if Cfg.on: _")

# case: Every thread would ask for the outer condition, which one of them writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    on: bool
@proc
def p(x: f32[2]):
    if Cfg.on:
        for k in par(0, 2):
            x[k] = 1.0
            if k == 0:
                Cfg.on = True
p = lift_scope(p, "k")

# case: Threads whose loop never runs would ask for the condition, which another one writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    on: bool
@proc
def p(x: f32[2]):
    for k in par(0, 2):
        for i in seq(k, 1):
            if Cfg.on:
                x[k] = 1.0
                Cfg.on = True
p = lift_scope(p, "if Cfg.on: _")

# case: The condition is a field that may not be set, and the loop may not run.
# expect: refuse readable
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32):
    for i in seq(1, n):
        if Cfg.on:
            x = 1.0
p = lift_scope(p, "if Cfg.on: _")

# case: The loop runs, so the condition is asked for in any case.
# expect: accept
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        if Cfg.on:
            x += 1.0
p = lift_scope(p, "if Cfg.on: _")

# case: The inner condition asks for a field that the outer one protects.
# expect: refuse readable
@config
class Cfg:
    on: bool
    set: bool
@proc
def p(x: f32):
    if Cfg.set:
        if Cfg.on:
            x = 1.0
p = lift_scope(p, "if Cfg.on: _")

# case: There is no such loop.
# expect: invalid
@proc
def p(m: size, x: f32):
    if m > 3:
        x = 1.0
p = lift_scope(p, "for i in _: _")

# case: Cursors into all branches of two guards stay alive.
# expect: accept
@proc
def p(n: size, m: size, x: f32):
    if n < 3:
        if m < 3:
            x = 1.0
        else:
            x = 2.0
    else:
        x = 3.0
g = p.find("if m < 3: _")
one = p.find("x = 1.0")
two = p.find("x = 2.0")
three = p.find("x = 3.0")
outer = p.find("if n < 3: _")
p = lift_scope(p, g)
p = insert_pass(p, one.before())
p = insert_pass(p, two.before())
p = insert_pass(p, three.before())
p = insert_pass(p, outer.after())
p = insert_pass(p, g.after())

# case: A loop in each branch, with the same bounds.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[n], y: f32[n]):
    assert m <= n
    if m > 3:
        for i in seq(0, m):
            x[i] = 1.0
            y[i] = 2.0
    else:
        for i in seq(0, m):
            t: f32
            t = y[i]
            x[i] = t
p = lift_scope(p, "for i in _: _ #0")

# case: A loop in each branch, and the second one is lifted.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[n], y: f32[n]):
    if m > 3:
        for i in seq(0, n):
            x[i] += 1.0
    else:
        for j in seq(0, n):
            x[j] = 2.0
            y[j] = 3.0
p = lift_scope(p, "j")

# case: The loop is in the `else`, and nothing happens otherwise.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    if m > 3:
        pass
    else:
        for i in seq(0, n):
            x[i] = 1.0
p = lift_scope(p, "i")

# case: An `else` in which nothing happens.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[n]):
    if m > 3:
        for i in seq(0, n):
            x[i] = 1.0
    else:
        pass
p = lift_scope(p, "i")

# case: Cursors into the loops of both branches stay alive.
# exo-refuses
# expect: accept
@proc
def p(n: size, m: size, x: f32[n], y: f32[n]):
    if m > 3:
        for i in par(0, n):
            x[i] = 1.0
    else:
        for j in par(0, n):
            y[j] = 3.0
q = lift_scope(p, "i")
r = bind_expr(q, q.forward(p.find("1.0")), "s")
p = bind_expr(r, r.forward(p.find("3.0")), "t")

# case: The loop in the other branch runs once more.
# expect: refuse bounds
# breaks: bounds
@proc
def p(n: size, m: size, x: f32[n + 1]):
    if m > 3:
        for i in seq(0, n):
            x[i] = 1.0
    else:
        for i in seq(0, n + 1):
            x[i] = 2.0
p = lift_scope(p, "for i in _: _ #0")

# case: The loop in the other branch has the same bounds where the guard holds, but not where it does not.
# family: 1
# expect: refuse bounds
# breaks: bounds
@proc
def p(n: size, m: size, x: f32[n + m]):
    if m == n:
        for i in seq(0, n):
            x[i] = 1.0
    else:
        for i in seq(0, m):
            x[i] = 2.0
p = lift_scope(p, "for i in _: _ #0")

# case: The loop in the other branch switches the guard on.
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32[n]):
    if Cfg.on:
        for i in seq(0, n):
            x[i] = 1.0
    else:
        for i in seq(0, n):
            x[i] = 2.0
            Cfg.on = True
p = lift_scope(p, "for i in _: _ #0")

# case: The loop in the other branch is parallel.
# expect: refuse no_else
@proc
def p(n: size, m: size, x: f32[n]):
    if m > 3:
        for i in seq(0, n):
            x[0] += 1.0
    else:
        for i in par(0, n):
            x[i] = 2.0
p = lift_scope(p, "for i in _: _ #0")

# case: The loop leaves the condition as it is, if a field is set.
# family: 2
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    n: index
    m: index
@proc
def p(x: f32[8]):
    if Cfg.n > 2:
        for i in seq(0, 8):
            x[i] = 1.0
            Cfg.n = Cfg.n + Cfg.m - Cfg.m
p = lift_scope(p, "i")
