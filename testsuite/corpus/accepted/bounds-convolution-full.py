# A convolution with room for the whole of it.


@proc
def p(n: size, k: size, x: f32[n + k - 1], w: f32[k], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, k):
            y[i] += w[j] * x[i + j]
