# expect: syntax.statement 4:5 only a procedure
@proc
def p(x: f32[4]):
    x.fill(0.0)
