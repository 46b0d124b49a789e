# expect: syntax.expression 4:10 assigns nothing
@proc
def p(x: f32[4], y: f32):
    y = (z := 1.0)
