# Two halves that meet when the size is odd.
# expect: call.alias 14:5 the arguments `x` and `y` of `copy` may overlap in `x`, and it changes `y`
# because: for n = 1: both show `x[0]`


@proc
def copy(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def p(n: size, x: f32[n]):
    copy((n + 1) / 2, x[0:(n + 1) / 2], x[n / 2:n])
