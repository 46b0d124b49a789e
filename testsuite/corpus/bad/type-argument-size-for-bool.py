# expect: type.argument 8:13 argument `b` of `take` is a `bool`, not an `int`
@proc
def take(n: size, b: bool, s: stride):
    pass

@proc
def p():
    take(4, 4, 1)
