# expect: syntax.statement 4:5 one target
@proc
def p(x: f32, y: f32):
    x = y = 0.0
