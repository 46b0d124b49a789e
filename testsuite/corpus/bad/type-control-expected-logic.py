# expect: type.control-expected 4:18 an operand of `and` is control
@proc
def p(n: size, x: f32):
    if n < 4 and x:
        x = 0.0
