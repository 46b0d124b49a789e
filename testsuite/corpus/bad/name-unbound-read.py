# expect: name.unbound 4:9 no variable `y`
@proc
def p(x: f32):
    x = y
