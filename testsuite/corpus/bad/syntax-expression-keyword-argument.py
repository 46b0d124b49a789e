# expect: syntax.expression 4:16 by position
@proc
def p(x: f32[4], y: f32):
    y = sin(y, x=2.0)
