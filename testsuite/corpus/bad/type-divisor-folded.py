# expect: type.divisor 4:26 the right side of `/`
@proc
def p(n: size, x: f32):
    for i in seq(0, n / (4 - 4)):
        x = 0.0
