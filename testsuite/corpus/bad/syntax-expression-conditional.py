# expect: syntax.expression 4:9 no conditional expressions
@proc
def p(x: f32[4], y: f32):
    y = 1.0 if True else 0.0
