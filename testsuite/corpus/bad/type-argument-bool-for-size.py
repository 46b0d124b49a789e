# expect: type.argument 8:10 argument `n` of `take` is a `size`, not a `bool`
@proc
def take(n: size, b: bool, s: stride):
    pass

@proc
def p():
    take(True, True, 1)
