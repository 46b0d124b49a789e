# refuted: [E-5] a later iteration's write does not hide an earlier one's read
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for k in seq(0, n):  # first
        x[k] = 1.0
    x[n] = 0.0           # second
    for i in seq(0, n):  # second
        y[i] = x[i + 1]
        x[i] = 0.0

# proved: [E-14] what is shadowed goes; it does not go behind
@proc
def p(x: f32[1]):
    x[0] = 1.0  # first
    x[0] = 2.0  # second
