# case: a write that nobody reads
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
    Cfg.k = n
    for i in seq(0, n):
        x[i] = 0.0

p = delete_config(p, "Cfg.k = _")

# case: one of two, and the versions agree
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
    Cfg.k = n
    x[0] = 0.0
    Cfg.k = 2

p = delete_config(p, "Cfg.k = _ #0")

# case: in a loop, before another
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
        Cfg.k = 3
        Cfg.k = i
        if Cfg.k < 2:
            x[i] = 0.0

p = delete_config(p, "Cfg.k = 3")

# case: all of a body
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
        Cfg.on = i < 3
    x[0] = 0.0

p = delete_config(p, "Cfg.on = _")

# case: data
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
    Cfg.scale = x[0]
    x[0] = 0.0

p = delete_config(p, "Cfg.scale = _")

# case: in a parallel loop, the only iteration
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
        Cfg.pitch = stride(x, 0)
        x[i] = 0.0

p = delete_config(p, "Cfg.pitch = _")

# case: what it stands before writes in every branch
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
    Cfg.k = 5
    if n < 3:
        Cfg.k = 0
    else:
        Cfg.k = 1
    if Cfg.k == 0:
        x[0] = 1.0

p = delete_config(p, "Cfg.k = 5")

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
    Cfg.k = 1
    if Cfg.k == 1:
        x[0] = 1.0

p = delete_config(p, "Cfg.k = _")

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
        Cfg.k = 1

p = delete_config(p, "Cfg.k = 1")

# case: only one of the paths writes it again
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
    Cfg.on = True
    for i in seq(0, n - 1):
        Cfg.on = False
    if Cfg.on:
        x[0] = 1.0

p = delete_config(p, "Cfg.on = True")

# case: a callee reads it as an extent
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
    t: f32[Cfg.n]
    for i in seq(0, Cfg.n):
        t[i] = 1.0
        if i < 4:
            x[i] = t[i]

@proc
def p(x: f32[4]):
    Cfg.n = 2
    get(x)

p = delete_config(p, "Cfg.n = _")

# case: a value that is read
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
    x[0] = Cfg.scale

p = delete_config(p, "Cfg.scale = _")

# case: another field reads it
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
    Cfg.k = 2
    Cfg.n = Cfg.k + 1
    x[0] = 0.0

p = delete_config(p, "Cfg.k = _")

# case: no such write
# expect: invalid
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
    Cfg.k = 2
    x[0] = 0.0

p = delete_config(p, "Cfg.n = _")

# case: the value that the field has
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[8]):
    Cfg.k = 3
    for i in seq(0, n):
        x[0] = 1.0
        Cfg.k = 3
        if Cfg.k == 3:
            x[1] = 1.0
p = delete_config(p, "Cfg.k = _ #1")

# case: the value that a guard says it has
# expect: accept
@config
class Cfg:
    k: index
    on: bool
@proc
def p(n: size, x: f32[8]):
    if Cfg.k == n and Cfg.on:
        Cfg.k = n
        Cfg.on = True
    if Cfg.k == 3 and Cfg.on:
        x[1] = 1.0
p = delete_config(p, "Cfg.k = _")
p = delete_config(p, "Cfg.on = _")

# case: a value that it does not have
# expect: refuse unread
# breaks: same
@config
class Cfg:
    k: index
@proc
def p(x: f32[8]):
    Cfg.k = 3
    Cfg.k = 2
    if Cfg.k == 2:
        x[1] = 1.0
p = delete_config(p, "Cfg.k = _ #1")

# case: in the first iteration it has another value
# family: 4
# expect: refuse unread
# breaks: same
@config
class Cfg:
    k: index
@proc
def p(n: size, x: f32[8]):
    Cfg.k = 2
    for i in seq(0, n):
        Cfg.k = 3
        if Cfg.k == 3:
            x[1] = 1.0
p = delete_config(p, "Cfg.k = _ #1")

# case: a field less itself is not 0 if it was never set
# expect: refuse unread
# breaks: same
@config
class Cfg:
    k: index
    j: index
@proc
def p(x: f32[8]):
    Cfg.k = Cfg.j - Cfg.j
    Cfg.k = 0
    if Cfg.k == 0:
        x[1] = 1.0
p = delete_config(p, "Cfg.k = _ #1")

# case: the same scalar, which has another value
# family: 3
# expect: refuse unread
# breaks: same
@config
class Cfg:
    s: f32
@proc
def p(a: f32, x: f32[8]):
    Cfg.s = a
    a = 2.0
    Cfg.s = a
    x[1] = Cfg.s
p = delete_config(p, "Cfg.s = _ #1")

# case: a call that writes fields alone
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
def set(k: index, n: size):
    Cfg.k = k
    Cfg.n = n

@proc
def p(n: size, x: f32[n]):
    set(3, n)
    x[0] = 0.0

p = delete_config(p, "set(_)")

# case: a call that sets what is set
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
def set(k: index, n: size):
    Cfg.k = k
    Cfg.n = n

@proc
def p(n: size, x: f32[n]):
    set(3, n)
    for i in seq(0, n):
        set(3, n)
        if Cfg.k < i:
            x[i] = 0.0

p = delete_config(p, "set(_) #1")

# case: a call that sets one field anew, which is read
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
def set(k: index, n: size):
    Cfg.k = k
    Cfg.n = n

@proc
def p(n: size, x: f32[n]):
    set(3, n)
    for i in seq(0, n):
        set(i, n)
        if Cfg.k < i + 1:
            x[i] = 0.0

p = delete_config(p, "set(_) #1")

# case: a call that sets what may not be set
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
def set(k: index, n: size):
    Cfg.k = k
    Cfg.n = n

@proc
def p(n: size, x: f32[n]):
    if n > 4:
        set(3, n)
    set(3, n)
    if Cfg.k < n:
        x[0] = 0.0

p = delete_config(p, "set(_) #1")

# case: a call that changes a buffer
# expect: refuse fields
# breaks: fields
@config
class Cfg:
    k: index
    n: size
    on: bool
    pitch: stride
    scale: f32
    small: i8

@proc
def set(k: index, x: f32):
    Cfg.k = k
    x = 0.0

@proc
def p(n: size, x: f32[n]):
    set(3, x[0])

p = delete_config(p, "set(_)")

# case: a call that changes only what is its own
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
def set(k: index, x: f32):
    t: f32
    t = x
    Cfg.k = k

@proc
def p(n: size, x: f32[n]):
    set(3, x[0])

p = delete_config(p, "set(_)")

# case: a call that adds to a buffer
# expect: refuse fields
# breaks: fields
@config
class Cfg:
    k: index

@proc
def set(k: index, x: f32):
    Cfg.k = k
    x += 1.0

@proc
def p(n: size, x: f32[n]):
    set(3, x[0])

p = delete_config(p, "set(_)")

# case: data that was written before
# expect: accept
@config
class Cfg:
    scale: f32

@proc
def p(n: size, u: f32, x: f32[n]):
    Cfg.scale = u
    for i in seq(0, n):
        Cfg.scale = u
        x[i] = Cfg.scale

p = delete_config(p, "Cfg.scale = _ #1")

# case: data that has changed since it was written
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    scale: f32

@proc
def p(n: size, u: f32, x: f32[n]):
    Cfg.scale = u
    for i in seq(0, n):
        Cfg.scale = u
        x[i] = Cfg.scale
        u = 2.0

p = delete_config(p, "Cfg.scale = _ #1")

# case: data that a window has changed since it was written
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    scale: f32

@proc
def p(x: f32[4]):
    w = x[1:3]
    Cfg.scale = x[1]
    w[0] = 2.0
    Cfg.scale = x[1]
    x[0] = Cfg.scale

p = delete_config(p, "Cfg.scale = _ #1")

# case: data that is written in one branch
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    scale: f32

@proc
def p(n: size, x: f32[4]):
    if n < 4:
        Cfg.scale = x[0]
    Cfg.scale = x[0]
    x[1] = Cfg.scale

p = delete_config(p, "Cfg.scale = _ #1")

# case: a call that sets the scale anew, in each iteration
# exo-refuses
# expect: accept
@config
class St:
    scale: f32
    pitch: stride
@proc
def set(s: f32, d: stride):
    St.scale = s
    St.pitch = d
@proc
def put(y: f32, x: f32):
    y = x * St.scale
@proc
def p(n: size, x: f32[n, 4], y: f32[n, 4], s: f32):
    set(s, stride(x, 0))
    for i in seq(0, n):
        put(y[i, 0], x[i, 0])
        set(s, stride(x, 0))
        put(y[i, 1], x[i, 1])
p = delete_config(p, "set(_) #1")

# case: a call that sets another scale
# expect: refuse unread
# breaks: same
@config
class St:
    scale: f32
@proc
def set(s: f32):
    St.scale = s
@proc
def put(y: f32, x: f32):
    y = x * St.scale
@proc
def p(n: size, x: f32[n], y: f32[n], s: f32, t: f32):
    set(s)
    for i in seq(0, n):
        put(y[i], x[i])
        set(t)
        put(y[i], x[i])
p = delete_config(p, "set(_) #1")

# case: a call that sets what it then changes
# expect: refuse unread
@config
class St:
    scale: f32
@proc
def set(s: f32):
    St.scale = s
    s = 2.0
@proc
def only(s: f32):
    St.scale = s
@proc
def put(y: f32, x: f32):
    y = x * St.scale
@proc
def p(x: f32, y: f32, s: f32):
    set(s)
    only(s)
    put(y, x)
p = delete_config(p, "only(_)")
