# expect: name.unbound 4:21 no variable `i`
@proc
def p(x: f32[8]):
    for i in seq(0, i):
        x[0] = 0.0
