# expect: syntax.python 4:1 expected an indented block
@proc
def p(x: f32):
x = 0.0
