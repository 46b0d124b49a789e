# expect: syntax.statement 5:5 no `del`
@proc
def p():
    x: f32
    del x
