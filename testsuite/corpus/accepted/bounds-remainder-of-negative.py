# A remainder is never negative.


@proc
def p(n: size, ring: f32[8]):
    for i in seq(-8, n):
        ring[(i - 100) % 8] = 0.0
