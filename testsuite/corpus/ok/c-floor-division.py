# `/` rounds down and `%` is never negative, also for negative operands, where C's operators differ.
# Where the dividend is seen not to be negative, C's own operators are used.


@proc
def halves(n: size, x: f32[2 * n + 1], y: f32[2 * n + 1]):
    for i in seq(-n, n + 1):
        y[i + n] = x[i / 2 + n] + x[i % 2]


@proc
def wrap_around(n: size, k: index, x: f32[8], y: f32[n, 8]):
    for i in seq(0, n):
        for j in seq(0, 8):
            y[i, j] = x[(j + k - i) % 8]


@proc
def plain(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i / 3 * 3 + i % 3] = x[i]
