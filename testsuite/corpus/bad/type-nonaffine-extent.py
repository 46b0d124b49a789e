# expect: type.nonaffine 3:32 neither side
@proc
def p(n: size, m: size, x: f32[n * m]):
    pass
