# A sliding window.


@proc
def p(n: size, x: f32[n]):
    assert n > 3
    for i in seq(0, n - 3):
        w = x[i:i + 4]
        w[3] = 0.0
