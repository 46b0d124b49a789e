# expect: type.bool-expected 4:12 the operand of `not` must be a truth value
@proc
def p(n: size, x: f32):
    if not n:
        x = 0.0
