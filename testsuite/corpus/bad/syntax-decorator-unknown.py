# expect: syntax.decorator 2:1 not known
@kernel
def p(x: f32):
    x = 0.0
