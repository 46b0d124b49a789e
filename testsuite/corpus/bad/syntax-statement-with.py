# expect: syntax.statement 4:5 no `with`
@proc
def p(x: f32):
    with x:
        x = 0.0
