# expect: syntax.expression 4:9 no strings
@proc
def p(x: f32[4], y: f32):
    y = 'one'
