# expect: syntax.statement 4:5 returns nothing
@proc
def p(x: f32):
    return x
