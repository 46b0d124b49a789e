# expect: syntax.expression 4:29 by position
@proc
def p(x: f32[4], y: f32):
    y = select(0.0, y, 1.0, d=2.0)
