# expect: syntax.type 3:14 one extent or more
@proc
def p(x: f32[()]):
    pass
