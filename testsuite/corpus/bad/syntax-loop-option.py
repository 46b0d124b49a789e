# expect: syntax.loop 4:24 no options
@proc
def p(x: f32[4]):
    for i in par(0, 4, chunk=2):
        x[i] = 0.0
