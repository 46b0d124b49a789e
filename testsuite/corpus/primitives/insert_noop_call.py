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
