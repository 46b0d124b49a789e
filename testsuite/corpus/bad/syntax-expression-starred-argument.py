# expect: syntax.expression 4:15 no starred
@proc
def p(x: f32[4], y: f32):
    y = fmaxf(*x)
