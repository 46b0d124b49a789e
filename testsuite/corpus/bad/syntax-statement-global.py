# expect: syntax.statement 4:5 no global variables
@proc
def p(x: f32):
    global y
    x = 0.0
