# expect: syntax.expression 4:15 no step
@proc
def p(x: f32[8]):
    y = x[0:8:2]
