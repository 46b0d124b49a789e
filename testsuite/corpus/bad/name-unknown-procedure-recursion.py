# expect: name.unknown-procedure 4:5 no procedure `p`
@proc
def p(x: f32):
    p(x)
