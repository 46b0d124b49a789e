# expect: type.stride-arithmetic 4:13 `-` does not apply to strides
@proc
def p(s: stride):
    assert -s == 1
    pass
