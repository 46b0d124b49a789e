# expect: syntax.statement 6:13 no `continue`
@proc
def p(x: f32):
    for i in seq(0, 8):
        if i == 4:
            continue
        x += 1.0
