# expect: syntax.statement 4:5 no `while`
@proc
def p(x: f32):
    while True:
        x += 1.0
