# expect: syntax.type 3:14 one number
@proc
def p(x: f32[0:4]):
    pass
