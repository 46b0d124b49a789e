# expect: syntax.assert 4:19 no message
@proc
def p(n: size):
    assert n > 4, "too small"
    pass
