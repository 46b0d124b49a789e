# expect: syntax.expression 4:9 one bracket
@proc
def p(x: f32[4], y: f32):
    y = x[0][0]
