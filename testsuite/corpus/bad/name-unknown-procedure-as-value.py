# expect: name.unknown-procedure 8:9 no procedure `one`
@proc
def one(x: f32):
    x = 1.0

@proc
def p(x: f32):
    x = one(x)
