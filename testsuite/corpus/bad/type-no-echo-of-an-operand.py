# expect: type.nonaffine 4:9 neither side
@proc
def p(n: size, x: f32[n]):
    if (n * n + 1) / 4 < n and 3 * (n + 1) == 6:
        x[0] = 0.0
