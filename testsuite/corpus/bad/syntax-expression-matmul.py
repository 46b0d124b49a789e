# expect: syntax.expression 4:9 no operator `@`
@proc
def p(x: f32[4], y: f32):
    y = x @ x
