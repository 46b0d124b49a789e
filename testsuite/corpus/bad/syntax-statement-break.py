# expect: syntax.statement 7:13 no `break`
@proc
def p(x: f32):
    for i in seq(0, 8):
        x += 1.0
        if i == 4:
            break
