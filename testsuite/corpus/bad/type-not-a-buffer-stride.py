# expect: type.not-a-buffer 4:19 `n` is not a buffer
@proc
def p(n: size):
    assert stride(n, 0) == 1
    pass
