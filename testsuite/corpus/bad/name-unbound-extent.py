# expect: name.unbound 3:14 no variable `n`
@proc
def p(x: f32[n]):
    pass
