# case: a buffer that nothing mentions
# expect: accept
@proc
def p(n: size, x: f32[n]):
    a: f32[n]
    for i in seq(0, n):
        x[i] = 0.0
p = delete_buffer(p, "a")

# case: the only statement of a loop, which becomes pass
# expect: accept
@proc
def p(n: size):
    for i in seq(0, n):
        a: f32[4]
p = delete_buffer(p, "a")

# case: in an else branch
# expect: accept
@proc
def p(n: size, x: f32):
    if n > 3:
        x = 1.0
    else:
        a: f32
        x = 2.0
p = delete_buffer(p, "a")

# case: another buffer of the same name is used
# family: 10
# expect: accept
@proc
def p(x: f32):
    a: f32
    a: f32
    a = 1.0
    x = a
p = delete_buffer(p, "a #0")

# case: an extent that reads the configuration
# expect: accept
@config
class Cfg:
    n: size
@proc
def p(x: f32):
    a: f32[Cfg.n]
    x = 1.0
p = delete_buffer(p, "a")

# case: left over after its last use was removed
# expect: accept
@proc
def p(x: f32[4]):
    a: f32
    a = 2.0
    x[0] = a
p = inline_assign(p, "a = _")
p = delete_buffer(p, "a")

# case: used
# expect: refuse unused
@proc
def p(x: f32):
    a: f32
    a = 1.0
    x = a
p = delete_buffer(p, "a")

# case: only written
# expect: refuse unused
@proc
def p(x: f32):
    a: f32
    a = 1.0
    x = 2.0
p = delete_buffer(p, "a")

# case: only seen through a window
# expect: refuse unused
@proc
def p(x: f32):
    a: f32[4]
    w = a[0:2]
    x = 2.0
p = delete_buffer(p, "a")

# case: only its stride is asked for
# expect: refuse unused
@proc
def p(x: f32):
    a: f32[4, 4]
    if stride(a, 0) == 4:
        x = 2.0
p = delete_buffer(p, "a")

# case: passed to a procedure that ignores it
# expect: refuse unused
@proc
def f(t: [f32][4], x: f32):
    x = 1.0
@proc
def p(x: f32):
    a: f32[4]
    f(a[0:4], x)
p = delete_buffer(p, "a")

# case: an argument is no allocation
# expect: invalid
@proc
def p(x: f32):
    x = 2.0
p = delete_buffer(p, "x")
