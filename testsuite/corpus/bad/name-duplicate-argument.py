# expect: name.duplicate-argument 3:24 two arguments are named `x`
@proc
def p(x: f32, n: size, x: f32):
    pass
