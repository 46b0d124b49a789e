# The first iteration is another case.


@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        if i == 0:
            y[i] = x[i]
        else:
            y[i] = x[i - 1]
