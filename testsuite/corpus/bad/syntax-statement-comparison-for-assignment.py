# expect: syntax.statement 4:5 does nothing
@proc
def p(x: f32):
    x == 1.0
