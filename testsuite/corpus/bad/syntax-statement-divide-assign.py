# expect: syntax.statement 4:5 no `/=`
@proc
def p(x: f32):
    x /= 2.0
