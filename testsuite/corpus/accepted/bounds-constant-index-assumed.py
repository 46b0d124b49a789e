# The assertion allows no smaller size.


@proc
def p(n: size, x: f32[n]):
    assert n >= 4
    x[3] = 0.0
