# expect: type.nonaffine 4:21 neither side
@proc
def p(n: size, x: f32):
    for i in seq(0, n * n):
        x = 0.0
