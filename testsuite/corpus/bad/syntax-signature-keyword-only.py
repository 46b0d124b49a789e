# expect: syntax.signature 3:18 by position
@proc
def p(x: f32, *, n: size):
    pass
