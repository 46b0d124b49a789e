# The guard makes the two rows one.
# expect: call.alias 16:13 the arguments `x` and `y` of `copy` may overlap in `a`, and it changes `y`
# because: for n = 1, i = 0: both show `a[0, 0]`


@proc
def copy(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def p(n: size, a: f32[n, n]):
    for i in seq(0, n):
        if i == 0:
            copy(n, a[0, :], a[i, :])
