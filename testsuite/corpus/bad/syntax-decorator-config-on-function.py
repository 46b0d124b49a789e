# expect: syntax.decorator 2:1 marks a class
@config
def p(x: f32):
    x = 0.0
