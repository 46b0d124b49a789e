# refuted: [E-19] reductions into one cell commute, and race
@proc
def p(n: size, x: f32[n], s: f32):
    for i in seq(0, n):  # here
        s += x[i]
