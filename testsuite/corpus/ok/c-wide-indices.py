# Index arithmetic is as wide as addresses, constants and divisions included: nothing is cut to 32 bits.


@proc
def far_apart(n: size, x: f32[n], y: f32[n]):
    assert n <= 2147483648
    for i in seq(0, n):
        y[(3000000000 * i + i) / 3000000001] = x[(i + 4294967296) % 4294967296]
        y[i] += x[(65536 * (65536 * i)) / 4294967296]


@proc
def negative_far(n: size, x: f32[4 * n], y: f32[4 * n]):
    for i in seq(-3000000000, -3000000000 + 4):
        y[i % 4] = x[(i + 1) / 4 + 750000000]


@proc
def window_far(n: size, A: [f32][n, 2], y: f32[n]):
    assert stride(A, 1) == 1
    for i in seq(0, n):
        y[i] = A[i, 1]
