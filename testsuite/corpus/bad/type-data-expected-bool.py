# expect: type.data-expected 4:9 not a `bool`
@proc
def p(b: bool, x: f32):
    x = b
