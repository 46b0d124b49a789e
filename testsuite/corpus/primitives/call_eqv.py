# case: a version that was made of the callee
# expect: accept
@proc
def scale(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

@proc
def p(n: size, x: f32[n, n]):
    for j in seq(0, n):
        scale(n, x[j, :])

fast = rename(scale, "scale_by_4")
fast = divide_loop(fast, "i", 4, ["io", "ii"])
p = call_eqv(p, "scale(_)", fast)

# case: back to what it was made of
# expect: accept
@proc
def scale(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

@proc
def p(n: size, x: f32[n]):
    scale(n, x)

fast = divide_loop(rename(scale, "scale_by_4"), "i", 4, ["io", "ii"])
p = rename(p, "q")
p = call_eqv(p, "scale(_)", fast)
p = call_eqv(p, "scale_by_4(_)", scale)

# case: from one version to another
# expect: accept
@proc
def scale(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

@proc
def p(n: size, x: f32[n]):
    scale(n, x)

a = divide_loop(rename(scale, "a"), "i", 4, ["io", "ii"])
b = cut_loop(rename(scale, "b"), "i", 1)
p = rename(p, "q")
p = call_eqv(p, "scale(_)", a)
p = call_eqv(p, "a(_)", b)

# case: a version that leaves a field otherwise, which is written again
# expect: accept
@config
class Cfg:
    k: index

@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    clear(n, x)
    Cfg.k = 0

other = write_config(rename(clear, "other"), "for i in _: _", Cfg, "k", "n")
p = call_eqv(p, "clear(_)", other)

# case: and one that nobody reads
# expect: accept
@config
class Cfg:
    k: index

@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    clear(n, x)
    x[0] = 1.0

other = write_config(rename(clear, "other"), "for i in _: _", Cfg, "k", "n")
p = call_eqv(p, "clear(_)", other)

# case: a version that asserts what holds
# expect: accept
@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[4 * n]):
    clear(4 * n, x)

other = rename(clear, "other")
other = other.add_assertion("n % 4 == 0")
other = divide_loop(other, "i", 4, ["io", "ii"], tail="perfect")
p = call_eqv(p, "clear(_)", other)

# case: another precision of what is its own
# expect: accept
@proc
def sum(n: size, s: f32, x: [f32][n]):
    t: R
    t = 0.0
    for i in seq(0, n):
        t += x[i]
    s = t

@proc
def p(n: size, s: f32, x: f32[n]):
    sum(n, s, x)

other = set_precision(rename(sum, "other"), "t", "f64")
p = call_eqv(p, "sum(_)", other)

# case: a procedure that was extracted, scheduled by itself
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p, q = extract_subproc(p, "for i in _: _", "q")
q = divide_loop(rename(q, "q_by_4"), "i", 4, ["io", "ii"])
p = call_eqv(p, "q(_)", q)

# case: a version of a procedure that looks the same
# expect: accept
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32):
    clear(x)

q = rename(clear, "zero")
p = call_eqv(p, "clear(_)", q)

# case: another procedure
# expect: refuse equivalent
# breaks: equivalent
@proc
def clear(x: f32):
    x = 0.0

@proc
def set(x: f32):
    x = 1.0

@proc
def p(x: f32):
    clear(x)

p = call_eqv(p, "clear(_)", set)

# case: a step that cannot be taken back
# expect: refuse equivalent
@proc
def f(x: f32):
    t: f32
    x = 1.0

@proc
def p(x: f32):
    f(x)

g = delete_buffer(rename(f, "g"), "t")
p = call_eqv(p, "f(_)", g)
p = call_eqv(p, "g(_)", f)

# case: one that reads what has no value
# expect: refuse equivalent
# breaks: equivalent
@proc
def f(x: f32):
    x = 1.0
    x = x * 0.0 + 2.0

@proc
def g(x: f32):
    x = 2.0 + x

@proc
def p(x: f32):
    f(x)

p = call_eqv(p, "f(_)", g)

# case: a version for other arguments
# expect: refuse equivalent
@proc
def clear(n: size, x: [f32][8]):
    for i in seq(0, 8):
        if i < n:
            x[i] = 0.0

@proc
def p(n: size, x: f32[8]):
    clear(n, x)

other = rename(clear, "other")
other = other.partial_eval(n=4)
p = call_eqv(p, "clear(_)", other)

# case: a field that is read afterwards
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index

@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 0
    clear(n, x)
    if Cfg.k == 0:
        x[0] = 1.0

other = write_config(rename(clear, "other"), "for i in _: _", Cfg, "k", "n")
p = call_eqv(p, "clear(_)", other)

# case: by the next iteration
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index

@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 0
    for j in seq(0, 2):
        if Cfg.k == 0:
            clear(n, x)
        else:
            x[0] = 1.0

other = write_config(rename(clear, "other"), "for i in _: _", Cfg, "k", "n")
p = call_eqv(p, "clear(_)", other)

# case: the way back is modulo the field as well
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index

@proc
def put(x: f32):
    x = 0.0
    Cfg.k = 3

@proc
def p(x: f32, y: f32):
    put(x)
    if Cfg.k == 3:
        y = 1.0

other = delete_config(rename(put, "other"), "Cfg.k = _")
p = call_eqv(p, "put(_)", other)

# case: an assertion that does not hold
# expect: refuse asserts
# breaks: asserts
@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    clear(n, x)

other = rename(clear, "other")
other = other.add_assertion("n % 4 == 0")
p = call_eqv(p, "clear(_)", other)

# case: another thread writes the field too
# expect: refuse parallel
# breaks: parallel
@config
class Cfg:
    k: index

@proc
def clear(x: f32):
    x = 0.0

@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        clear(x[i])

other = write_config(rename(clear, "other"), "x = _", Cfg, "k", "1")
p = call_eqv(p, "clear(_)", other)

# case: a tensor where a dense window is passed
# expect: accept
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    clear(x[2:6])

other = set_window(rename(clear, "other"), "x", False)
p = call_eqv(p, "clear(_)", other)

# case: a tensor where a column is passed
# expect: refuse asserts
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[8, 2]):
    clear(x[2:6, 1])

other = set_window(rename(clear, "other"), "x", False)
p = call_eqv(p, "clear(_)", other)

# case: no call
# expect: invalid
@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32):
    x = 0.0

p = call_eqv(p, "clear(_)", clear)

# case: a tensor in between, though a window before and after
# expect: refuse asserts
# breaks: asserts
@proc
def set(x: [f32][4, 4]):
    if stride(x, 0) == 4:
        x[0, 0] = 1.0
    else:
        x[0, 0] = 2.0

@proc
def p(x: f32[4, 8]):
    set(x[:, 2:6])

other = set_window(rename(set, "other"), "x", False)
other = eliminate_dead_code(other, "if _: _")
other = set_window(other, "x", True)
p = call_eqv(p, "set(_)", other)

# case: an assertion that holds whenever the field is set
# expect: refuse asserts
@config
class Cfg:
    n: size

@proc
def clear(x: f32):
    x = 0.0

@proc
def p(x: f32):
    clear(x)

other = rename(clear, "other")
other = write_config(other, "x = _", Cfg, "n", "3")
other = other.add_assertion("Cfg.n >= 1")
p = call_eqv(p, "clear(_)", other)

# case: back before a call was inlined, whose assertion does not hold here
# expect: refuse bounds
# breaks: bounds
@proc
def copy(x: [f32][4], y: [f32][4]):
    assert stride(x, 0) == 1
    for i in seq(0, 4):
        y[i] = x[i]

@proc
def p(b: f32[8], A: f32[4, 4], y: f32[4]):
    w = b[2:6]
    copy(w, y)
    for i in seq(0, 4):
        y[i] = A[i, 0]

p, part = extract_subproc(p, "copy(_)", "part", include_asserts=False)
other = inline(rename(part, "other"), "copy(_)")
p = replace(p, "for i in _: _", other)
p = call_eqv(p, "other(_)", part)

# case: back before a loop was deleted whose bound reads a field
# expect: refuse equivalent
@config
class Cfg:
    n: index

@proc
def clear(x: f32):
    for i in seq(0, Cfg.n):
        pass
    x = 0.0

@proc
def p(x: f32):
    clear(x)

other = delete_pass(rename(clear, "other"))
p = call_eqv(p, "clear(_)", other)
p = call_eqv(p, "other(_)", clear)

# case: back before a call was inlined whose argument read a field
# expect: refuse equivalent
@config
class Cfg:
    n: index

@proc
def note(n: index):
    pass

@proc
def clear(x: f32):
    note(Cfg.n)
    x = 0.0

@proc
def p(x: f32):
    clear(x)

other = inline(rename(clear, "other"), "note(_)")
p = call_eqv(p, "clear(_)", other)
p = call_eqv(p, "other(_)", clear)

# case: a field that is written, though with the value that it has
# expect: accept
@config
class Cfg:
    k: index

@proc
def clear(n: size, x: [f32][n]):
    pass
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    Cfg.k = n
    clear(n, x)
    if Cfg.k == 0:
        x[0] = 1.0

other = write_config(rename(clear, "other"), "for i in _: _", Cfg, "k", "n")
p = call_eqv(p, "clear(_)", other)

# case: a field that is no longer written, but has the value
# expect: accept
@config
class Cfg:
    k: index

@proc
def clear(n: size, x: [f32][n]):
    Cfg.k = n
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    Cfg.k = n
    clear(n, x)
    if Cfg.k == 0:
        x[0] = 1.0

other = delete_config(rename(clear, "other"), "Cfg.k = _")
p = call_eqv(p, "clear(_)", other)

# case: a field that is no longer written, and has another value
# expect: refuse unread
# breaks: same
@config
class Cfg:
    k: index

@proc
def clear(n: size, x: [f32][n]):
    Cfg.k = n
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    Cfg.k = n - 1
    clear(n, x)
    if Cfg.k == 0:
        x[0] = 1.0

other = delete_config(rename(clear, "other"), "Cfg.k = _")
p = call_eqv(p, "clear(_)", other)

# case: both versions set a scale, which is read afterwards
# expect: accept
@config
class St:
    scale: f32
@proc
def set(s: f32):
    St.scale = s
@proc
def store(y: [f32][4], x: [f32][4], s: f32):
    St.scale = s
    for i in seq(0, 4):
        y[i] = x[i] * St.scale
@proc
def p(n: size, x: f32[n, 4], y: f32[n, 4], s: f32):
    for i in seq(0, n):
        store(y[i, 0:4], x[i, 0:4], s)
    x[0, 0] = St.scale
other = replace(rename(store, "other"), "St.scale = _", set)
other = write_config(other, other.find("for i in _: _").after(), St, "scale", "s")
p = call_eqv(p, "store(_)", other)

# case: the new version sets another scale, which is read afterwards
# expect: refuse unread
# breaks: same
@config
class St:
    scale: f32
@proc
def store(y: [f32][4], x: [f32][4], s: f32):
    St.scale = s
    for i in seq(0, 4):
        y[i] = x[i] * St.scale
@proc
def p(n: size, x: f32[n, 4], y: f32[n, 4], s: f32):
    for i in seq(0, n):
        store(y[i, 0:4], x[i, 0:4], s)
    x[0, 0] = St.scale
other = write_config(rename(store, "other"), store.find("for i in _: _").after(), St, "scale", "s * 2.0")
p = call_eqv(p, "store(_)", other)

# case: a version that copies a field in each iteration, and then sets it
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@proc
def one(x: f32):
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 0
    Cfg.b = 0
    for i in seq(0, 2):
        one(x)
    if Cfg.b == 1:
        x = 2.0

other = rename(one, "other")
other = write_config(other, other.find("x = _").before(), Cfg, "b", "Cfg.a")
other = write_config(other, other.find("x = _").after(), Cfg, "a", "1")
p = call_eqv(p, "one(_)", other)

# case: a version that asserts what it no longer leaves
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@proc
def one(x: f32):
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 0
    for i in seq(0, 2):
        one(x)

other = add_assertion(rename(one, "other"), "Cfg.a == 0")
other = write_config(other, other.find("x = _").after(), Cfg, "a", "1")
p = call_eqv(p, "one(_)", other)

# case: a version that sets a field in each iteration, and then reads it
# expect: accept
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@proc
def one(x: f32):
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 0
    for i in seq(0, 2):
        one(x)

other = rename(one, "other")
other = write_config(other, other.find("x = _").before(), Cfg, "a", "1")
other = write_config(other, other.find("x = _").after(), Cfg, "b", "Cfg.a")
p = call_eqv(p, "one(_)", other)

# case: a version that asserts what each iteration sets before
# expect: accept
@config
class Cfg:
    a: index

@proc
def one(x: f32):
    x = 1.0

@proc
def p(x: f32):
    for i in seq(0, 2):
        Cfg.a = 0
        one(x)
    Cfg.a = 2

other = add_assertion(rename(one, "other"), "Cfg.a == 0")
other = write_config(other, other.find("x = _").after(), Cfg, "a", "1")
p = call_eqv(p, "one(_)", other)

# case: a version that asserts what an outer iteration sets
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    a: index

@proc
def one(x: f32):
    x = 1.0

@proc
def p(x: f32):
    for i in seq(0, 2):
        Cfg.a = 0
        for j in seq(0, 2):
            one(x)
    Cfg.a = 2

other = add_assertion(rename(one, "other"), "Cfg.a == 0")
other = write_config(other, other.find("x = _").after(), Cfg, "a", "1")
p = call_eqv(p, "one(_)", other)
