# expect: syntax.expression 4:9 no `lambda`
@proc
def p(x: f32[4], y: f32):
    y = lambda: 1.0
