@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# proved: [E-16] the first part sets the bound to what it is
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):  # here
        x[i] = 1.0
        Cfg.n = 4
        y[i] = 2.0  # second

# proved: [E-32] a first part that repeats
@instr("load({dst_data}, {src_data});")
def load(dst: [f32][4], src: [f32][4]):
    assert Cfg.a == 4
    for i in seq(0, 4):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[4 * n], y: f32[4 * n]):
    for i in seq(0, n):  # here
        Cfg.a = 4
        load(y[4 * i:4 * i + 4], x[4 * i:4 * i + 4])  # second

# refuted: [E-32] a first part that repeats, on what the second adds to
@proc
def p(n: size, x: f32[n], y: f32[n], s: f32):
    for i in seq(0, n):  # here
        s = 0.0
        s += x[i]  # second
        y[i] = s

# proved: [E-31] both parts set a field of which they read what they set
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):  # here
        Cfg.scale = 1.0
        x[i] = Cfg.scale
        Cfg.scale = 2.0  # second
        y[i] = Cfg.scale

# refuted: [E-31] the second part of the last iteration, which changes places with none, reads what the first part has set
@proc
def p(n: size, x: f32[1]):
    for i in seq(0, n):  # here
        Cfg.a = i
        if i == n - 1:  # second
            if Cfg.a == n - 1:
                x[0] = 1.0
        Cfg.a = 2 * i
