# expect: type.nonaffine 4:12 neither side
@proc
def p(n: size, m: size):
    assert n * m == 64
    pass
