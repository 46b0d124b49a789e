# expect: type.bool-expected 4:12 the operand of `not` is a truth value
@proc
def p(n: size, x: f32):
    if not n:
        x = 0.0
