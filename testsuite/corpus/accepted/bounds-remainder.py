# A ring buffer.


@proc
def p(n: size, k: index, ring: f32[8]):
    for i in seq(0, n):
        ring[(i + k) % 8] = 0.0
