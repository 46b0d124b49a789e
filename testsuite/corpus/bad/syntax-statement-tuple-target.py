# expect: syntax.statement 5:5 one target
# expect: syntax.expression 5:12 no tuples
@proc
def p(x: f32, y: f32):
    x, y = 0.0, 1.0
