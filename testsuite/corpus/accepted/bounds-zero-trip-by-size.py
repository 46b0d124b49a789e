# The loop has iterations for larger sizes only.


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n - 3):
        x[i + 3] = 0.0
