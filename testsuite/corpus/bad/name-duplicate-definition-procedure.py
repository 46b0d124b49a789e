# expect: name.duplicate-definition 7:5 `p` is defined twice
@proc
def p(x: f32):
    x = 0.0

@proc
def p(x: f32):
    x = 1.0
