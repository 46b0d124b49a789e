# expect: syntax.expression 4:16 one cell
@proc
def p(x: f32[8]):
    y: [f32] = x[0:4]
    y = 0.0
