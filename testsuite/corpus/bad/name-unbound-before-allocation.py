# expect: name.unbound 4:9 no variable `t`
@proc
def p(x: f32):
    x = t
    t: f32
