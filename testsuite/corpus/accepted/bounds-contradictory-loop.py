# The loops around exclude each other.


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(i + 1, n):
            if j <= i:
                x[n] = 0.0
