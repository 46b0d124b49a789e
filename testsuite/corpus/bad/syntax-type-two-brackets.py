# expect: syntax.type 3:10 one bracket
@proc
def p(x: f32[4][4]):
    pass
