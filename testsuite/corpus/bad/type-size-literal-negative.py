# expect: type.size-literal 8:10 a `size` is at least 1, not -4
@proc
def take(n: size, b: bool, s: stride):
    pass

@proc
def p():
    take(-4, True, 1)
