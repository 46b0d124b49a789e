# expect: type.argument 8:19 argument `s` of `take` is a `stride`, not a `size`
@proc
def take(n: size, b: bool, s: stride):
    pass

@proc
def p(n: size):
    take(n, True, n)
