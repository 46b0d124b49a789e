# A loop over a window without cells.


@proc
def p(n: size, k: index, x: f32[n]):
    assert 0 <= k and k <= n
    w = x[k:n]
    for i in seq(0, n - k):
        w[i] = 0.0
