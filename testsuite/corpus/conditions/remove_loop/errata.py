# refuted: [E-20] the second iteration reads what the first changed
@proc
def p(n: size, x: f32[1], y: f32[1]):
    for i in seq(0, n):  # here
        x[0] = y[0]
        y[0] = 2.0
