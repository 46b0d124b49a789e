# case: an index
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = write_config(p, p.find_loop("i").before(), Cfg, "k", "n - 1")

# case: the last statement writes it again, so the versions agree
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0
    Cfg.k = 4

p = write_config(p, p.find_loop("i").before(), Cfg, "k", "n")

# case: in a loop that writes it again before it reads it
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        Cfg.k = i
        if Cfg.k < 3:
            x[i] = 0.0

p = write_config(p, p.find("if _: _").after(), Cfg, "k", "7")

# case: a stride
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: [f32][n, n]):
    for i in seq(0, n):
        x[i, 0] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "pitch", "stride(x, 0)")

# case: a truth value, and another field
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    Cfg.n = 4
    x[0] = 0.0

p = write_config(p, p.find("x[_] = _").after(), Cfg, "on", "n < Cfg.n")

# case: a value of data
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = write_config(p, p.find("x[_] = _").after(), Cfg, "scale", "x[i] * 2.0")

# case: a size that is at least 1
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    if n > 1:
        x[0] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "n", "n - 1")

# case: in a parallel loop of one iteration
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    for i in par(0, 1):
        x[i] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "n", "n")

# case: a callee reads it, after another writes it
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def put(n: index):
    Cfg.k = n

@proc
def get(x: f32[4]):
    if Cfg.k == 2:
        x[0] = 1.0

@proc
def p(x: f32[4]):
    put(2)
    get(x)

p = write_config(p, p.find("put(_)").before(), Cfg, "k", 3)

# case: a guard reads it
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 0
    if Cfg.k == 0:
        x[0] = 1.0

p = write_config(p, p.find("if _: _").before(), Cfg, "k", 1)

# case: the next iteration reads it
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 0
    for i in seq(0, n):
        if Cfg.k == 0:
            x[i] = 1.0
        x[i] += 1.0

p = write_config(p, p.find("x[_] += _").after(), Cfg, "k", 1)

# case: a callee reads it
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def get(x: f32[4]):
    if Cfg.k == 2:
        x[0] = 1.0

@proc
def p(x: f32[4]):
    x[1] = 0.0
    get(x)

p = write_config(p, p.find("x[_] = _").after(), Cfg, "k", 2)

# case: it is overwritten in one branch only
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    if n < 3:
        Cfg.on = True
    if Cfg.on:
        x[0] = 1.0

p = write_config(p, p.find("if n < 3: _").before(), Cfg, "on", "False")

# case: an extent of a window reads it
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(x: f32[8]):
    if Cfg.k >= 0 and Cfg.k < 8:
        w = x[Cfg.k:8]
        w[0] = 1.0

p = write_config(p, p.body()[0].body()[0].before(), Cfg, "k", 2)

# case: data that is read
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    Cfg.scale = 2.0
    for i in seq(0, n):
        x[i] = Cfg.scale

p = write_config(p, p.find_loop("i").before(), Cfg, "scale", "3.0")

# case: a size of 0
# expect: refuse positive
# breaks: positive
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    x[0] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "n", "n - 1")

# case: a cell that is not there
# expect: refuse bounds
# breaks: bounds
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    x[0] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "scale", "x[1]")

# case: another thread writes what it reads
# expect: refuse parallel
# breaks: parallel
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[2]):
    Cfg.k = 0
    for i in par(0, 2):
        if i == 0:
            Cfg.k = 1
        else:
            x[i] = 1.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "on", "Cfg.k < 1")

# case: another thread writes it too
# expect: refuse parallel
# breaks: parallel
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "n", "n")

# case: a cell that another thread writes
# expect: refuse parallel
# breaks: parallel
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[2]):
    for i in par(0, 2):
        if i == 0:
            x[0] = 0.0
        else:
            x[1] = 1.0

p = write_config(p, p.find("x[1] = _").before(), Cfg, "scale", "x[0]")

# case: no such field
# expect: argument
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    x[0] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "m", 1)

# case: a value of another sort
# expect: argument
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    x[0] = 0.0

p = write_config(p, p.find("x[_] = _").before(), Cfg, "on", "n")

# case: a size that may not be set
# expect: refuse positive
@config
class Cfg:
    n: size
    m: size

@proc
def p(n: size, x: f32[n]):
    x[0] = 0.0
    if Cfg.m > 0:
        x[0] = 1.0

p = write_config(p, p.find("x[_] = 0.0").before(), Cfg, "n", "Cfg.m")

# case: the value that it holds
# expect: accept
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 3
    x[0] = 1.0
    if Cfg.k < n:
        x[0] = 0.0

p = write_config(p, p.find("x[0] = 1.0").after(), Cfg, "k", "3")

# case: the value that it may hold
# expect: refuse unread
# breaks: same
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    if n > 4:
        Cfg.k = 3
    x[0] = 1.0
    if Cfg.k < n:
        x[0] = 0.0

p = write_config(p, p.find("x[0] = 1.0").after(), Cfg, "k", "3")

# case: the value that it holds, if another field is set
# expect: refuse unread
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 0
    x[0] = 1.0
    if Cfg.k < n:
        x[0] = 0.0

p = write_config(p, p.find("x[0] = 1.0").after(), Cfg, "k", "Cfg.n - Cfg.n")

# case: data that is there already
# expect: accept
@config
class Cfg:
    scale: f32

@proc
def p(u: f32, x: f32[2]):
    Cfg.scale = u
    x[0] = 1.0
    x[1] = Cfg.scale

p = write_config(p, p.find("x[0] = _").after(), Cfg, "scale", "u")

# case: a size that becomes smaller in each iteration
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@proc
def p(x: f32):
    Cfg.n = 2
    for i in seq(0, 2):
        x = 1.0

p = write_config(p, p.find("x = _").after(), Cfg, "n", "Cfg.n - 1")

# case: a size that becomes smaller once
# expect: accept
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@proc
def p(x: f32):
    Cfg.n = 2
    for i in seq(0, 2):
        x = 1.0

p = write_config(p, p.find_loop("i").after(), Cfg, "n", "Cfg.n - 1")
