# An argument of this shape exists only where `n` is at least 3.


@proc
def p(n: size, x: f32[n - 3], y: f32[n]):
    y[2] = 0.0
