# The writer is one call further down.
# expect: call.alias 19:5 the arguments `x` and `y` of `outer` may overlap in `x`, and it changes `y`
# because: for n = 1: both show `x[0]`


@proc
def copy(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def outer(n: size, x: f32[n], y: f32[n]):
    copy(n, x, y)


@proc
def p(n: size, x: f32[n]):
    outer(n, x, x)
