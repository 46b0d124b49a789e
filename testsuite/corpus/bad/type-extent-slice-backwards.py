# expect: type.extent 4:11 ends before it begins
@proc
def p(x: f32[8]):
    y = x[6:2]
    y[0] = 0.0
