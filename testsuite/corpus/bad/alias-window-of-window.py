# Windows of two windows of one buffer.
# expect: call.alias 16:5 the arguments `x` and `y` of `copy` may overlap in `x`, and it changes `y`
# because: both show `x[3]`


@proc
def copy(x: [f32][2], y: [f32][2]):
    for i in seq(0, 2):
        y[i] = x[i]


@proc
def p(x: f32[8]):
    u = x[0:5]
    v = x[3:8]
    copy(u[2:4], v[0:2])
