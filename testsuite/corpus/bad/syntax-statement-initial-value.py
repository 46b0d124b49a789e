# expect: syntax.statement 4:5 no initial value
@proc
def p(x: f32, z: f32[4]):
    y: f32 = z
    x = y
