# expect: name.unbound 6:7 no variable `i`
@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[i] = 0.0
    x[i] = 1.0
