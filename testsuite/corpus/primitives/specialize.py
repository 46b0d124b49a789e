# case: One condition.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = specialize(p, "i", "n == 8")

# case: Several conditions, asked one after another.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0
p = specialize(p, "i", ["n == 8", "n < 4", "n % 2 == 0"])

# case: Conditions that contradict each other, or always hold.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0
p = specialize(p, "i", ["n < 1", "n > 0"])

# case: The condition asks for the variable of the loop around.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0
p = specialize(p, "x[_] += _", "i == 0 or i == n - 1")

# case: Two statements with a buffer of their own.
# expect: accept
@proc
def p(n: size, x: f32):
    t: f32
    t = x
    x = t * t
    x += 1.0
p = specialize(p, "t: _ ; t = _ ; x = _", "n > 3")

# case: The statement changes the field that the conditions ask for.
# expect: accept
@config
class Cfg:
    on: bool
@proc
def p(x: f32):
    if Cfg.on:
        x = 1.0
        Cfg.on = False
    else:
        Cfg.on = True
p = specialize(p, "if _: _", ["Cfg.on", "not Cfg.on"])

# case: A condition on a stride.
# expect: accept
@proc
def p(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0
p = specialize(p, "i", "stride(x, 0) == 1")

# case: A branch of a guard.
# expect: accept
@proc
def p(n: size, x: f32):
    if n > 4:
        x = 1.0
    else:
        x = 2.0
p = specialize(p, "x = 2.0", "n > 4")

# case: A parallel loop inside.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
p = specialize(p, "i", "n > 16")

# case: A buffer that is used afterwards.
# expect: refuse scope
@proc
def p(n: size, x: f32):
    t: f32
    t = x
    x = t * t
p = specialize(p, "t: _ ; t = _", "n > 3")

# case: A window that is used afterwards.
# family: 8
# expect: refuse scope
@proc
def p(n: size, x: f32[n]):
    w = x[0:1]
    w[0] = 1.0
p = specialize(p, "w = _", "n > 3")

# case: The condition is read from a field that another thread writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    on: bool
@proc
def p(x: f32[2]):
    for k in par(0, 2):
        if k == 0:
            Cfg.on = True
        x[k] = 1.0
p = specialize(p, "x[_] = _", "Cfg.on")

# case: A callee of another thread, two loops out, writes the field of the condition.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    on: bool
@proc
def set(k: index):
    if k == 0:
        Cfg.on = True
@proc
def p(x: f32[2, 3]):
    for k in par(0, 2):
        set(k)
        for i in seq(0, 3):
            x[k, i] = 1.0
p = specialize(p, "x[_] = _", "Cfg.on")

# case: The condition asks for a field that may not be set.
# expect: refuse readable
@config
class Cfg:
    on: bool
@proc
def p(x: f32):
    x = 1.0
    if Cfg.on:
        x = 2.0
p = specialize(p, "x = 1.0", "Cfg.on")

# case: The statement copies the field that the condition asks for, which may not be set.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    on: bool
    old: bool
@proc
def p(x: f32):
    Cfg.old = Cfg.on
    x = 1.0
p = specialize(p, "Cfg.old = _", "Cfg.on")

# case: No condition.
# expect: argument
@proc
def p(n: size, x: f32):
    x = 1.0
p = specialize(p, "x = _", [])

# case: A number is no condition.
# expect: argument
@proc
def p(n: size, x: f32):
    x = 1.0
p = specialize(p, "x = _", "n + 1")

# case: Data cannot be asked for.
# expect: argument
@proc
def p(n: size, x: f32):
    x = 1.0
p = specialize(p, "x = _", "x < 1.0")

# case: A name that is bound further inside.
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = specialize(p, "i", "i == 0")

# case: There is no such statement.
# expect: invalid
@proc
def p(n: size, x: f32):
    x = 1.0
p = specialize(p, "y = _", "n > 3")

# case: The guard around decides on one field or the other, by the branch that was taken before it.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    on: bool
    flag: bool
@proc
def p(n: size, x: f32):
    if n > 3:
        Cfg.on = Cfg.flag
    if Cfg.on:
        x = 1.0
p = specialize(p, "x = 1.0", "Cfg.flag")

# case: The same guard, and the field that was written in any case.
# expect: accept
@config
class Cfg:
    on: bool
    flag: bool
@proc
def p(n: size, x: f32):
    Cfg.flag = n > 3
    if n > 3:
        Cfg.on = Cfg.flag
    if Cfg.on:
        x = 1.0
p = specialize(p, "x = 1.0", "Cfg.flag and Cfg.on")

# case: A field that a loop counts up, from nothing if it was never set.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32):
    for i in seq(0, n):
        Cfg.k = Cfg.k + 1
    x = 1.0
p = specialize(p, "x = 1.0", "Cfg.k < 4")

# case: A field less itself is not 0 if it was never set.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    j: index
    k: index
@proc
def p(n: size, x: f32):
    Cfg.k = Cfg.j - Cfg.j
    x = 1.0
p = specialize(p, "x = 1.0", "Cfg.k < 4")

# case: A field that a callee was given, which may not be set.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    j: index
    k: index
@proc
def put(v: index):
    Cfg.k = v
@proc
def p(n: size, x: f32):
    put(Cfg.j)
    x = 1.0
p = specialize(p, "x = 1.0", "Cfg.k < 4")

# case: A field that a callee was given, and an index read before.
# expect: accept
@config
class Cfg:
    j: index
    k: index
@proc
def put(v: index):
    Cfg.k = v
@proc
def p(n: size, x: f32):
    assert Cfg.j < 8
    put(Cfg.j)
    x = 1.0
p = specialize(p, "x = 1.0", "Cfg.k < 4")

# case: A field that the procedure does not mention.
# exo-refuses
# expect: accept
@config
class Cfg:
    k: index
    on: bool
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = specialize(p, "for i in _: _", ["Cfg.k == 3 and Cfg.on", "Cfg.k > 4"])

# case: A field of a class of which the procedure mentions another one, in a parallel loop.
# exo-refuses
# expect: accept
@config
class Cfg:
    n: size
    k: index
@proc
def p(n: size, x: f32[n]):
    Cfg.n = n
    for i in par(0, n):
        x[i] = 1.0
p = specialize(p, "x[_] = _", "Cfg.k == 3")

# case: A field that the procedure only writes, and not in any case.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[n]):
    if n > 2:
        Cfg.k = 1
    for i in seq(0, n):
        x[i] = 1.0
p = specialize(p, "for i in _: _", "Cfg.k == 3")
