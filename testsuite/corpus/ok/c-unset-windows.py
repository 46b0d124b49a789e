# What is read before it is written, though only under the name of a window, or in a callee.
@proc
def first(x: [f32][4], y: f32):
    y = x[0]
    x[0] = 1.0


@proc
def last(x: [f32][4], y: f32):
    x[3] = 2.0
    y += x[3]


@proc
def through(y: f32, z: f32, b: f32):
    t: f32[4]
    w = t[0:4]
    v = w[1:3]
    y = v[0]
    t[0] = 1.0
    s: f32[1]
    u: [f32] = s[0]
    z = u
    n: f32[4]
    b = 0.0
    last(n, b)
    o: f32[4]
    first(o, z)
