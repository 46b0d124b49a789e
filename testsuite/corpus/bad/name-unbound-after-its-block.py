# expect: name.unbound 7:9 no variable `t`
@proc
def p(x: f32):
    for i in seq(0, 4):
        t: f32
        t = 0.0
    x = t
