# A full convolution where only the valid part has room.
# expect: bounds.access 12:30 index 0 of `x` may be out of bounds: `i + j`
# because: for n = 2, k = 2, i = 1, j = 1: the index is 2, the extent 2
# run: p n=2 k=2


@proc
def p(n: size, k: size, x: f32[n], w: f32[k], y: f32[n]):
    assert k <= n
    for i in seq(0, n):
        for j in seq(0, k):
            y[i] += w[j] * x[i + j]
