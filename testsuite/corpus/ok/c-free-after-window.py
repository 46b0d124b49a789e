# A buffer is freed after the last use of every window of it, at the end of its block.


@proc
def last_use(n: size, y: f32[n]):
    t: f32[n, 2]
    w = t[0:n, 1]
    for i in seq(0, n):
        t[i, 1] = 3.0
    v = w[0:n]
    for i in seq(0, n):
        y[i] = v[i]


@proc
def per_iteration(n: size, y: f32[n]):
    for i in seq(0, n):
        t: f32[i + 1]
        w = t[i : i + 1]
        if i > 0:
            u: f32[2]
            v = u[1:2]
            v[0] = 2.0
            w[0] = v[0]
        else:
            w[0] = 1.0
        y[i] = w[0]
