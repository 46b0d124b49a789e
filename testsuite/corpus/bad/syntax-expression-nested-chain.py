# expect: syntax.expression 4:12 chains of comparisons do not nest
@proc
def p(n: size, m: size, x: f32):
    if 0 < (n < m < 4) < 4:
        x = 0.0
