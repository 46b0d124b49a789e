# expect: type.not-a-buffer 4:9 `n` is not a buffer
@proc
def p(n: size):
    y = n[0:4]
    y[0] = 0.0
