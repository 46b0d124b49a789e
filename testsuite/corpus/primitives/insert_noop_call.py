# case: a prefetch
# expect: accept
@instr("prefetch(&{src_data}, {locality});")
def prefetch(src: [f32][1] @ DRAM, locality: index):
    pass

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = insert_noop_call(p, p.find("x[_] = _").before(), prefetch, ["x[i:i + 1]", 3])

# case: at the end
# expect: accept
@proc
def nothing(n: size):
    for i in seq(0, n):
        pass

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = insert_noop_call(p, p.find_loop("i").after(), nothing, ["n + 1"])

# case: without arguments
# expect: accept
@instr("fence();")
def fence():
    pass

@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 0.0

p = insert_noop_call(p, p.find("x[_] = _").after(), fence, [])

# case: a buffer, all of it, and a cell
# expect: accept
@proc
def hint(n: size, x: f32[n], y: f32):
    pass

@proc
def p(n: size, x: f32[n]):
    x[0] = 0.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["n", "x", "x[n - 1]"])

# case: an assertion that holds
# expect: accept
@proc
def hint(x: [f32][4]):
    assert stride(x, 0) == 1
    pass

@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        x[i, 0] = 0.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["x[i, :]"])

# case: a field that was written
# expect: accept
@config
class Cfg:
    k: index

@proc
def hint(k: index):
    if k < 3:
        pass

@proc
def p(n: size, x: f32[n]):
    Cfg.k = n
    x[0] = 0.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["Cfg.k"])

# case: it does something
# expect: refuse noop
# breaks: noop
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32, y: f32):
    x = 1.0
    y = x

p = insert_noop_call(p, p.find("y = _").before(), clear, ["x"])

# case: it changes what an argument holds in the end
# expect: refuse noop
# breaks: noop
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32, y: f32):
    y = x

p = insert_noop_call(p, p.find("y = _").after(), clear, ["x"])

# case: a cell that is written before it is read
# expect: accept
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32, y: f32):
    x = 1.0
    y = x

p = insert_noop_call(p, p.find("x = _").before(), clear, ["x"])

# case: a cell that is added to
# expect: refuse noop
# breaks: noop
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32, y: f32):
    x += 1.0
    y = x

p = insert_noop_call(p, p.find("x += _").before(), clear, ["x"])

# case: the lanes behind the last column
# expect: accept
@proc
def lanes(n: size, acc: [f32][8], a: f32, b: [f32][8]):
    assert n <= 8
    for j in seq(n, 8):
        acc[j] += a * b[j]

@proc
def p(n: size, k: size, x: f32[k], y: f32[k, 8], z: f32[n]):
    assert n <= 8
    acc: f32[8]
    for j in seq(0, n):
        acc[j] = 0.0
    for i in seq(0, k):
        for j in seq(0, n):
            acc[j] += x[i] * y[i, j]
    for j in seq(0, n):
        z[j] = acc[j]

p = insert_noop_call(p, p.find("for j in _: _ #1").after(), lanes, ["n", "acc[0:8]", "x[i]", "y[i, 0:8]"])
p = inline(p, p.find("lanes(_)"))
p = inline_window(p, p.find("for j in _: _ #1").next())
p = inline_window(p, p.find("for j in _: _ #1").next())
p = join_loops(p, p.find("for j in _: _ #1"), p.find("for j in _: _ #2"))

# case: a procedure that leaves what it is given
# expect: refuse bounds
# breaks: bounds
@proc
def f(x: [f32][4]):
    x[4] = 1.0

@proc
def p(y: f32[8]):
    t: f32[4]
    y[5] = 1.0

p = insert_noop_call(p, p.find("y[_] = _").after(), f, ["t[0:4]"])

# case: one lane too many
# expect: refuse noop
# breaks: noop
@proc
def lanes(n: size, acc: [f32][8], a: f32, b: [f32][8]):
    assert n <= 8
    for j in seq(n - 1, 8):
        acc[j] += a * b[j]

@proc
def p(n: size, k: size, x: f32[k], y: f32[k, 8], z: f32[n]):
    assert n <= 8
    acc: f32[8]
    for j in seq(0, n):
        acc[j] = 0.0
    for i in seq(0, k):
        for j in seq(0, n):
            acc[j] += x[i] * y[i, j]
    for j in seq(0, n):
        z[j] = acc[j]

p = insert_noop_call(p, p.find("for j in _: _ #1").after(), lanes, ["n", "acc[0:8]", "x[i]", "y[i, 0:8]"])

# case: the next iteration reads it
# expect: refuse noop
# breaks: noop
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(n: size, y: f32[n]):
    t: f32
    t = 1.0
    for i in seq(0, n):
        y[i] = t

p = insert_noop_call(p, p.find("y[_] = _").after(), clear, ["t"])

# case: a cell of an argument that is not there
# expect: refuse windows
@proc
def put(x: f32):
    x = 0.0

@proc
def p(n: size, y: f32[n]):
    t: f32[4]
    for i in seq(0, n):
        y[i] = 0.0

p = insert_noop_call(p, p.find("y[_] = _").after(), put, ["t[i]"])

# case: it is passed what it changes as two arguments
# expect: refuse aliasing
@proc
def copy(x: f32, y: f32):
    x = y

@proc
def p(y: f32):
    t: f32
    y = 0.0

p = insert_noop_call(p, p.find("y = _").after(), copy, ["t", "t"])

# case: each thread would write it
# expect: refuse threads
# breaks: threads
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(n: size, y: f32[n]):
    t: f32
    for i in par(0, n):
        y[i] = 0.0

p = insert_noop_call(p, p.find("y[_] = _").before(), clear, ["t"])

# case: each thread would read what another one writes
# expect: refuse threads
# breaks: threads
@proc
def copy(x: f32, y: f32):
    x = y

@proc
def p(n: size, y: f32[n]):
    for i in par(0, n):
        t: f32
        y[i] = 0.0

p = insert_noop_call(p, p.find("y[_] = _").before(), copy, ["t", "y[0]"])

# case: each thread has its own
# expect: accept
@proc
def copy(x: f32, y: f32):
    x = y

@proc
def p(n: size, x: f32[1], y: f32[n]):
    for i in par(0, n):
        t: f32
        y[i] = x[0]

p = insert_noop_call(p, p.find("y[_] = _").before(), copy, ["t", "x[0]"])

# case: what it calls sets a field
# expect: refuse noop
# breaks: noop
@config
class Cfg:
    k: index

@proc
def inner(k: index):
    Cfg.k = k

@proc
def outer(k: index):
    inner(k)

@proc
def p(x: f32):
    x = 1.0

p = insert_noop_call(p, p.find("x = _").before(), outer, [7])

# case: it sets a field
# expect: refuse noop
# breaks: noop
@config
class Cfg:
    k: index

@proc
def put(k: index):
    Cfg.k = k

@proc
def p(x: f32):
    x = 1.0

p = insert_noop_call(p, p.find("x = _").before(), put, [7])

# case: it reads a field
# expect: refuse noop
@config
class Cfg:
    k: index

@proc
def get():
    for i in seq(0, Cfg.k):
        pass

@proc
def p(x: f32):
    x = 1.0

p = insert_noop_call(p, p.find("x = _").before(), get, [])

# case: a size of 0
# expect: refuse sizes
# breaks: sizes
@proc
def hint(n: size):
    pass

@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["n - 1"])

# case: a part that is not there
# expect: refuse windows
# breaks: windows
@proc
def hint(x: [f32][1]):
    pass

@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["x[n:n + 1]"])

# case: another extent
# expect: refuse windows
@proc
def hint(n: size, x: [f32][n]):
    pass

@proc
def p(n: size, m: size, x: f32[n]):
    x[0] = 1.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["m", "x"])

# case: an assertion that may not hold
# expect: refuse asserts
# breaks: asserts
@proc
def hint(n: size):
    assert n % 8 == 0
    pass

@proc
def p(n: size, x: f32[n]):
    x[0] = 1.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["n"])

# case: a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index

@proc
def hint(k: index):
    pass

@proc
def p(x: f32[2]):
    Cfg.k = 1
    for i in par(0, 2):
        if i == 0:
            Cfg.k = 2
        x[i] = 1.0

p = insert_noop_call(p, p.find("x[_] = _").before(), hint, ["Cfg.k"])

# case: a field that may not be set
# expect: refuse readable
@config
class Cfg:
    k: size

@proc
def hint(k: size):
    pass

@proc
def p(x: f32[2]):
    x[0] = 1.0
    if Cfg.k > 0:
        x[1] = 1.0

p = insert_noop_call(p, p.find("x[0] = _").before(), hint, ["Cfg.k"])

# case: too few arguments
# expect: argument
@proc
def hint(k: size):
    pass

@proc
def p(x: f32[2]):
    x[0] = 1.0

p = insert_noop_call(p, p.find("x[0] = _").before(), hint, [])

# case: an argument that cannot be read
# expect: argument
@proc
def hint(k: size):
    pass

@proc
def p(x: f32[2]):
    x[0] = 1.0

p = insert_noop_call(p, p.find("x[0] = _").before(), hint, ["x["])

# case: a field that another thread changes and puts back
# expect: refuse readable
@config
class Cfg:
    k: index
    j: index

@proc
def touch():
    for i in seq(0, 2):
        Cfg.j = Cfg.k
        Cfg.k = 0
        Cfg.k = Cfg.j

@proc
def noop(k: index):
    pass

@proc
def p(x: f32[8]):
    Cfg.k = 3
    for i in par(0, 8):
        if i == 0:
            touch()
        x[i] = 0.0

p = insert_noop_call(p, p.find("x[_] = _").before(), noop, ["Cfg.k"])
