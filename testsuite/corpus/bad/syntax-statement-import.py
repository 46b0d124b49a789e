# expect: syntax.statement 4:5 imports stand at the top
@proc
def p(x: f32):
    import math
    x = 0.0
