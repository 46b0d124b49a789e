# expect: syntax.expression 4:9 configuration class has fields
@proc
def p(x: f32[4], y: f32):
    y = a.b.c
