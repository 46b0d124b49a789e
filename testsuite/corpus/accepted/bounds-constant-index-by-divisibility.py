# A multiple of 4 that is at least 1 is at least 4.


@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    x[3] = 0.0
