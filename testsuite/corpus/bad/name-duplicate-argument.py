# expect: syntax.python 3:24 duplicate
@proc
def p(x: f32, n: size, x: f32):
    pass
