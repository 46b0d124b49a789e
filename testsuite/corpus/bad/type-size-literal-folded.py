# expect: type.size-literal 8:10 a `size` is at least 1, not 0
@proc
def take(n: size, b: bool, s: stride):
    pass

@proc
def p(n: size):
    take(n - n, True, 1)
