# expect: syntax.expression 4:9 only a buffer has cells
@proc
def p(x: f32[4], y: f32):
    y = sin(y)[0]
