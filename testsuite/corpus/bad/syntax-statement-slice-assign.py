# expect: syntax.statement 4:5 writes one cell
@proc
def p(x: f32[8]):
    x[0:4] = 0.0
