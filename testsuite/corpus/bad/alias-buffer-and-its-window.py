# A buffer, and a window of it.
# expect: call.alias 14:5 the arguments `x` and `y` of `first` may overlap in `x`, and it changes `y`
# because: for n = 1: both show `x[0]`


@proc
def first(n: size, x: f32[n], y: [f32][1]):
    y[0] = x[0]


@proc
def p(n: size, x: f32[n]):
    w = x[n - 1:n]
    first(n, x, w)
