# Windows of overlapping windows that do not overlap themselves.


@proc
def copy(x: [f32][2], y: [f32][2]):
    for i in seq(0, 2):
        y[i] = x[i]


@proc
def p(x: f32[8]):
    u = x[0:5]
    v = x[3:8]
    copy(u[1:3], v[0:2])
