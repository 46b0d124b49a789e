# expect: syntax.statement 4:5 not written `...`
@proc
def p(x: f32):
    ...
