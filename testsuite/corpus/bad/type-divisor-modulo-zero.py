# expect: type.divisor 4:16 the right side of `%`
@proc
def p(n: size):
    assert n % 0 == 0
    pass
