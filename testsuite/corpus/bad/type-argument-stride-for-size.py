# expect: type.argument 8:10 argument `n` of `take` is a `size`, not a `stride`
@proc
def take(n: size, b: bool, s: stride):
    pass

@proc
def p(x: [f32][8]):
    take(stride(x, 0), True, 1)
