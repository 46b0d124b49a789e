# case: A length that is known to be a multiple divides without a tail.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    for i in seq(0, n):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="perfect")

# case: The argument `perfect` says the same as the tail.
# expect: accept
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], perfect=True)

# case: A loop that never runs is a multiple of anything.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, -n):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="perfect")

# case: A guard asks in every iteration whether it is one.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = y[n - i - 1]
p = divide_loop(p, "i", 4, ["io", "ii"])

# case: With a guard the length may be negative.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n - 7):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")

# case: The iterations left over get a loop of their own.
# expect: accept
@proc
def p(n: size, x: f32[n], acc: f32):
    for i in seq(0, n):
        acc += x[i]
        x[i] = acc
p = divide_loop(p, "i", 3, ["io", "ii"], tail="cut")

# case: The loop of its own is skipped where nothing is left over.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = x[i]
        x[i] = t * t
p = divide_loop(p, "i", 3, ["io", "ii"], tail="cut_and_guard")

# case: Buffers, windows and loops of the body are copied to the tail.
# family: 6
# expect: accept
@proc
def p(n: size, x: f32[n, 2]):
    for i in seq(0, n):
        t: f32[2]
        w = x[i, :]
        for j in seq(0, 2):
            t[j] = w[j]
        for j in seq(0, 2):
            w[j] = t[1 - j]
p = divide_loop(p, "i", 2, ["io", "ii"], tail="cut")

# case: The factor 1 divides everything.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0
p = divide_loop(p, "i", 1, ["io", "ii"], tail="perfect")

# case: The factor is greater than the length.
# expect: accept
@proc
def p(x: f32[3]):
    for i in seq(0, 3):
        x[i] += 1.0
p = divide_loop(p, "i", 8, ["io", "ii"], tail="cut")

# case: The new names are in use already.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for io in seq(0, n):
        for i in seq(0, n):
            x[io, i] = 1.0
p = divide_loop(p, "i", 4, ["io", "i"], tail="guard")

# case: A lower bound that is 0 by an assertion is as good as a literal one.
# exo-refuses
# expect: accept
@proc
def p(n: size, k: index, x: f32[n]):
    assert k == 0
    for i in seq(k, n):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")

# case: Both new loops are parallel when the loop was.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="cut")

# case: The guard around the loop knows more of its length.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n]):
    if n % 8 == 0:
        for i in seq(0, n / 2):
            x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="perfect")

# case: The body writes its own bound, but not before the last iteration.
# exo-refuses
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    Cfg.n = 3
    for i in seq(0, Cfg.n):
        x[i] += 1.0
        if i == 2:
            Cfg.n = 2
p = divide_loop(p, "i", 2, ["io", "ii"], tail="cut")

# case: The body writes its own bound and puts it back before the iteration ends: the guard sees no difference.
# expect: accept
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 7
    for i in seq(0, Cfg.n):
        Cfg.n = 1
        x[i] = 1.0
        Cfg.n = 7
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")

# case: The body writes its own bound and puts it back, but the tail's indices are computed from it in between.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 7
    for i in seq(0, Cfg.n):
        Cfg.n = 1
        x[i] += 1.0
        Cfg.n = 7
p = divide_loop(p, "i", 4, ["io", "ii"], tail="cut")

# case: The loop starts at 2.
# family: 12
# exo-refuses
# expect: accept
# breaks: lower_bound
@proc
def p(x: f32[4]):
    for i in seq(2, 4):
        x[i] = 1.0
p = divide_loop(p, "i", 2, ["io", "ii"], tail="perfect")

# case: The length is no multiple.
# expect: refuse divides
# breaks: divides
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="perfect")

# case: A negative length leaves a remainder that is not negative.
# family: 12
# expect: refuse not_negative
# breaks: not_negative
@proc
def p(n: size, x: f32[n + 3]):
    for i in seq(0, n - 3):
        x[i + 3] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="cut")

# case: A negative length leaves a remainder, behind the guard too.
# expect: refuse not_negative
# breaks: not_negative
@proc
def p(n: size, x: f32[n + 3]):
    for i in seq(0, n - 3):
        x[i + 3] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="cut_and_guard")

# case: The body lowers the bound, which the guard asks again.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        Cfg.n = 1
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")

# case: A callee lowers the bound, and a later iteration puts it back.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def set(k: index):
    Cfg.n = k
@proc
def p(x: f32[8]):
    Cfg.n = 7
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        set(i + 1)
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")

# case: Every thread would ask for the bound, which one of them writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 7
    for i in par(0, Cfg.n):
        x[i] = 1.0
        if i == 0:
            Cfg.n = 7
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")

# case: No loop is divided by 0.
# expect: argument
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = divide_loop(p, "i", 0, ["io", "ii"])

# case: There is no second loop over `i`.
# expect: invalid
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = divide_loop(p, "i #1", 4, ["io", "ii"])

# case: A loop that starts at an argument, with a guard.
# family: 12
# exo-refuses
# expect: accept
# breaks: lower_bound
@proc
def p(n: size, k: index, x: f32[n], y: f32[n]):
    assert k >= 0
    for i in seq(k, n):
        x[i] = y[i]
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")

# case: A loop that starts at another one's variable, with a loop of its own for what is left over.
# family: 12
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n, n]):
    for j in seq(0, n):
        for i in seq(j, n):
            x[j, i] += 1.0
p = divide_loop(p, "i", 3, ["io", "ii"], tail="cut")

# case: A loop whose bounds are a multiple apart, from a negative one.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[4 * n + 3]):
    for i in seq(-3, 4 * n - 3):
        x[i + 3] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="perfect")

# case: A loop that starts at a field, which the body leaves as it is, under a guard for what is left over.
# exo-refuses
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[n]):
    assert Cfg.k >= 0 and Cfg.k <= n
    for i in seq(Cfg.k, n):
        x[i] = 1.0
p = divide_loop(p, "i", 2, ["io", "ii"], tail="cut_and_guard")

# case: A loop may end before it starts.
# family: 12
# expect: refuse not_negative
# breaks: not_negative
@proc
def p(n: size, x: f32[n + 8]):
    for i in seq(8, n):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="cut")

# case: A multiple, but not from where the loop starts.
# family: 12
# expect: refuse divides
# breaks: divides
@proc
def p(n: size, x: f32[4 * n]):
    for i in seq(1, 4 * n):
        x[i] = 1.0
p = divide_loop(p, "i", 4, ["io", "ii"], tail="perfect")

# case: The body moves the field where the loop starts.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    k: index
@proc
def p(x: f32[8]):
    assert Cfg.k >= 0 and Cfg.k <= 1
    for i in seq(Cfg.k, Cfg.k + 2):
        Cfg.k = 4
        x[i] = 1.0
p = divide_loop(p, "i", 2, ["io", "ii"], tail="perfect")

# case: Every thread would ask where the loop starts, which one of them writes.
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: index
@proc
def p(x: f32[9]):
    Cfg.n = 1
    for i in par(Cfg.n, 9):
        x[i] = 1.0
        if i == 1:
            Cfg.n = 1
p = divide_loop(p, "i", 4, ["io", "ii"], tail="perfect")

# case: The body leaves the bound as it is, if another field is set.
# family: 2
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
    m: index
@proc
def p(x: f32[8]):
    assert Cfg.n <= 8
    for i in seq(0, Cfg.n):
        x[i] = 1.0
        Cfg.n = Cfg.n + Cfg.m - Cfg.m
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")
