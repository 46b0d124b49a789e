# expect: syntax.signature 3:6 no type parameters
@proc
def p[T](x: f32):
    pass
