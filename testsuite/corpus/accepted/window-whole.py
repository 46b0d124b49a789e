# The whole, as a window.


@proc
def p(n: size, x: f32[n]):
    w = x[0:n]
    w[n - 1] = 0.0
