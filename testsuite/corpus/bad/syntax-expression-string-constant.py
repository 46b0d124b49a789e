# expect: syntax.expression 6:9 is a string
UNIT = "f();"

@proc
def p(x: f32):
    x = UNIT
