# expect: syntax.expression 4:16 shows cells of a buffer
@proc
def p(x: f32):
    y: [f32] = sin(x)
    y = 0.0
