# Two loop variables whose sum stays below the extent.


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(0, n - i):
            x[i + j] = 0.0
