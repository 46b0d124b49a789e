# expect: syntax.signature 3:15 fixed number
@proc
def p(x: f32, *rest):
    pass
