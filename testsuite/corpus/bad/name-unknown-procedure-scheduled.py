# expect: name.unknown-procedure 10:5 no procedure `fast`
@proc
def slow(x: f32):
    x = 0.0

fast = simplify(slow)

@proc
def p(x: f32):
    fast(x)
