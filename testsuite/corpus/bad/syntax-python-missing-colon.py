# expect: syntax.python 3:14 expected
@proc
def p(x: f32)
    x = 0.0
