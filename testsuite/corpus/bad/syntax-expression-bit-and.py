# expect: syntax.expression 4:8 no operator `&`
@proc
def p(n: size, m: size, x: f32):
    if n & 1 == 0:
        x = 0.0
