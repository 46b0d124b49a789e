# expect: syntax.python 5:1 unexpected EOF
@proc
def p(x: f32[4]):
    x = sin(1.0
