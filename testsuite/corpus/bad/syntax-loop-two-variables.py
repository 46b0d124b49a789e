# expect: syntax.loop 4:9 one variable
@proc
def p(x: f32[4]):
    for i, j in seq(0, 4):
        x[0] = 0.0
