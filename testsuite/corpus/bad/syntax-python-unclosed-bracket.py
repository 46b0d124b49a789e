# expect: syntax.python 4:11 expected
@proc
def p(x: f32[4]):
    x[0 = 0.0
