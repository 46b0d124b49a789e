# expect: syntax.loop 7:9 no `else`
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 0.0
    else:
        x[0] = 1.0
