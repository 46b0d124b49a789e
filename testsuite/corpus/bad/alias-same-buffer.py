# One buffer for two arguments, one of which is written.
# expect: call.alias 14:5 the arguments `x` and `y` of `copy` may overlap in `x`, and it changes `y`
# because: for n = 1: both show `x[0]`


@proc
def copy(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def p(n: size, x: f32[n]):
    copy(n, x, x)
