# expect: type.divisor 4:16 the right side of `%`
@proc
def p(n: size, m: size):
    assert n % m == 0
    pass
