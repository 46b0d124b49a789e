# expect: syntax.signature 3:7 by position
@proc
def p(x: f32, /):
    pass
