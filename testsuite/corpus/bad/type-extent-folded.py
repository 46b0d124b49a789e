# expect: type.extent 4:12 an extent must not be negative, but this is -2
@proc
def p(n: size):
    x: f32[n - n - 2]
    x[0] = 0.0
