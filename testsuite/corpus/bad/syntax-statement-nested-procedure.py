# expect: syntax.statement 4:5 not defined inside
@proc
def p(x: f32):
    def q(y: f32):
        y = 0.0
