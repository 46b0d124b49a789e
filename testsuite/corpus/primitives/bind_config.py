# case: a bound
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

p = bind_config(p, p.find_loop("i").hi(), Cfg, "n")

# case: a scalar
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
def p(n: size, x: f32[n], a: f32):
    for i in seq(0, n):
        x[i] = a * x[i]

p = bind_config(p, "a", Cfg, "scale")

# case: a guard
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
def p(n: size, on: bool, x: f32[n]):
    if on:
        x[0] = 1.0
    else:
        x[0] = 2.0

p = bind_config(p, p.find("if _: _").cond(), Cfg, "on")

# case: a part of an index
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
def p(n: size, x: f32[n + 4]):
    for i in seq(0, n):
        x[2 + i] = 0.0

p = bind_config(p, p.find("x[_] = _").idx()[0], Cfg, "k")

# case: an argument of a call
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
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n + 4]):
    clear(n, x[2:n + 2])

p = bind_config(p, p.find("clear(_)").args()[0], Cfg, "n")

# case: one of two occurrences
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
    x[0] = x[0] + x[0]

p = bind_config(p, p.find("x[_] = _").rhs().lhs(), Cfg, "scale")

# case: of what was written before the field is written again
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
        Cfg.k = 0
        if i < 3:
            x[i] = 0.0
        Cfg.k = 1

p = bind_config(p, p.find("if _: _").cond(), Cfg, "on")

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
def p(n: size, x: f32[n], a: f32):
    for i in par(0, 1):
        x[i] = a

p = bind_config(p, "a", Cfg, "scale")

# case: the same statement reads the field
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
def p(n: size, x: f32[n], a: f32):
    Cfg.scale = 2.0
    x[0] = Cfg.scale * a

p = bind_config(p, "a", Cfg, "scale")

# case: the body of the loop reads the field
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
    Cfg.n = 1
    for i in seq(0, n):
        if Cfg.n == 1:
            x[i] = 1.0

p = bind_config(p, p.find_loop("i").hi(), Cfg, "n")

# case: a later statement reads the field
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
def p(n: size, on: bool, x: f32[n]):
    Cfg.on = True
    if on:
        x[0] = 1.0
    if Cfg.on:
        x[0] += 2.0

p = bind_config(p, p.find("if on: _").cond(), Cfg, "on")

# case: the next iteration reads the field first
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

p = bind_config(p, p.find("x[_] += _").idx()[0], Cfg, "k")

# case: a bound that may be 0
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
    for i in seq(0, n - 1):
        x[i] = 0.0

p = bind_config(p, p.find_loop("i").hi(), Cfg, "n")

# case: other threads write it too
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
def p(n: size, x: f32[n], a: f32):
    for i in par(0, n):
        x[i] = a

p = bind_config(p, "a", Cfg, "scale")

# case: a small integer does not hold a large one
# expect: refuse precision
# breaks: precision
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(x: i32, y: i32):
    y = 1000.0
    x = y

p = bind_config(p, p.find("x = _").rhs(), Cfg, "small")

# case: nor a half
# expect: refuse precision
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def p(x: f32, y: f32):
    y = 0.5
    x = y

p = bind_config(p, "y", Cfg, "small")

# case: a place that a callee writes
# expect: refuse well_typed
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def clear(x: f32):
    x = 0.0

@proc
def p(y: f32):
    clear(y)

p = bind_config(p, p.find("clear(_)").args()[0], Cfg, "scale")

# case: a number is no truth value
# expect: refuse well_typed
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

p = bind_config(p, p.find_loop("i").hi(), Cfg, "on")

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
    for i in seq(0, n):
        x[i] = 0.0

p = bind_config(p, p.find_loop("i").hi(), Cfg, "m")

# case: what the field holds already, and is read afterwards
# expect: accept
@config
class Cfg:
    scale: f32

@proc
def p(x: f32, y: f32, z: f32):
    Cfg.scale = y
    x = y
    z = Cfg.scale

p = bind_config(p, p.find("x = _").rhs(), Cfg, "scale")

# case: what the field holds in every iteration
# expect: accept
@config
class Cfg:
    k: index

@proc
def p(n: size, x: f32[n + 4]):
    Cfg.k = n
    for i in seq(0, n):
        x[i] = 0.0
        for j in seq(0, n):
            if j < Cfg.k:
                x[j] += 1.0

p = bind_config(p, p.find_loop("j").hi(), Cfg, "k")

# case: a truth value that the field holds
# expect: accept
@config
class Cfg:
    on: bool

@proc
def p(on: bool, x: f32[2]):
    Cfg.on = on
    if on:
        x[0] = 1.0
    if Cfg.on:
        x[1] = 1.0

p = bind_config(p, p.find("if _: _").cond(), Cfg, "on")

# case: a cell that was written in between
# expect: refuse unread
# breaks: same
@config
class Cfg:
    scale: f32

@proc
def p(x: f32, y: f32, z: f32):
    Cfg.scale = y
    y = 2.0
    x = y
    z = Cfg.scale

p = bind_config(p, p.find("x = _").rhs(), Cfg, "scale")

# case: the last iteration leaves another value
# family: 4
# expect: refuse unread
# breaks: same
@config
class Cfg:
    k: index

@proc
def p(n: size, x: f32[n]):
    Cfg.k = n
    for i in seq(0, n):
        for j in seq(0, n):
            x[j] = 1.0
        if Cfg.k == n:
            x[i] = 2.0
        Cfg.k = i

p = bind_config(p, p.find_loop("j").hi(), Cfg, "k")

# case: the statement itself reads the field, which holds another value
# expect: refuse unread
# breaks: same
@config
class Cfg:
    scale: f32

@proc
def p(x: f32[2], y: f32):
    Cfg.scale = 3.0
    x[0] = y * Cfg.scale

p = bind_config(p, p.find("x[_] = _").rhs().lhs(), Cfg, "scale")

