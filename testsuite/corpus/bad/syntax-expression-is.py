# expect: syntax.expression 4:8 no operator `is`
@proc
def p(n: size, m: size, x: f32):
    if n is m:
        x = 0.0
