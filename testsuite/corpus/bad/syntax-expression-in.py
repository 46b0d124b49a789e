# expect: syntax.expression 4:8 no operator `in`
@proc
def p(n: size, m: size, x: f32):
    if n in m:
        x = 0.0
