# expect: name.unknown-procedure 4:5 no procedure `sin`
@proc
def p(x: f32):
    sin(x)
