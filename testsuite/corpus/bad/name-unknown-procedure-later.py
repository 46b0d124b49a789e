# expect: name.unknown-procedure 4:5 no procedure `q`
@proc
def p(x: f32):
    q(x)

@proc
def q(x: f32):
    x = 0.0
