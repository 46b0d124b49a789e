# expect: syntax.statement 4:5 no initial value
@proc
def p(x: f32):
    y: f32 = 0.0
    x = y
