# expect: type.divisor 4:25 the right side of `/`
@proc
def p(n: size, m: size, x: f32):
    for i in seq(0, n / m):
        x = 0.0
