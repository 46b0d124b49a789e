# The windows of neighbours touch, and share nothing.


@proc
def two(t: [f32][2]):
    t[0] = 0.0
    t[1] = 0.0


@proc
def p(n: size, x: f32[2 * n]):
    for i in par(0, n):
        w = x[2 * i:2 * i + 2]
        two(w)
