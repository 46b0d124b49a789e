# expect: syntax.python 4:5 assign
@proc
def p(x: f32):
    3.0 = x
