# expect: name.unbound 4:5 no buffer `y`
@proc
def p(x: f32):
    y += x
