# expect: name.unknown-procedure 4:5 no procedure `q`
@proc
def p(x: f32):
    q(x)
