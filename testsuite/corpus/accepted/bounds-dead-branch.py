# What is out of bounds never runs.


@proc
def p(n: size, x: f32[n]):
    if n < 1:
        x[n] = 0.0
