# expect: type.bool-expected 4:8 the condition of an `if` is a truth value, not a `size`
@proc
def p(n: size, x: f32):
    if n:
        x = 0.0
