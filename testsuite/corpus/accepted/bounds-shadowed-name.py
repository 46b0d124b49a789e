# The guard and the access are about the inner `i`.


@proc
def p(n: size, i: index, x: f32[n]):
    for i in seq(0, n + 1):
        if i < n:
            x[i] = 0.0
