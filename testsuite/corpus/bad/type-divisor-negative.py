# expect: type.divisor 4:25 the right side of `/`
@proc
def p(n: size, x: f32):
    for i in seq(0, n / -2):
        x = 0.0
