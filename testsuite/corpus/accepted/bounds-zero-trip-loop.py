# The loop has no iteration where its body would be wrong.


@proc
def p(n: size, x: f32[n]):
    for i in seq(n, n):
        x[i] = 0.0
