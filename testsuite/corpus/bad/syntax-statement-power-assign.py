# expect: syntax.statement 4:5 only reduction is `+=`
@proc
def p(x: f32):
    x **= 2.0
