# expect: type.bool-expected 4:12 an assertion is a truth value, not an `index`
@proc
def p(n: size):
    assert n % 4
    pass
