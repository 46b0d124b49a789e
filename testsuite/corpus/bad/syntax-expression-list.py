# expect: syntax.expression 4:9 no lists
@proc
def p(x: f32[4], y: f32):
    y = [1.0, 2.0]
