# expect: type.extent 4:12 an extent is at least 1, not 0
@proc
def p(n: size):
    x: f32[n - n]
    x[0] = 0.0
