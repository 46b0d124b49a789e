# expect: type.bool-expected 4:8 an operand of `or` is a truth value, not an `int`
@proc
def p(n: size, x: f32):
    if 1 or n < 4:
        x = 0.0
