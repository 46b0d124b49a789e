# expect: syntax.decorator 2:1 takes no arguments
@proc("fast")
def p(x: f32):
    x = 0.0
