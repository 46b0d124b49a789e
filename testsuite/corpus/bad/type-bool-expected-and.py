# expect: type.bool-expected 4:18 an operand of `and` is a truth value, not a `size`
@proc
def p(n: size, x: f32):
    if n < 4 and n:
        x = 0.0
