# expect: syntax.expression 4:9 no comprehensions
@proc
def p(x: f32[4], y: f32):
    y = [v for v in x]
