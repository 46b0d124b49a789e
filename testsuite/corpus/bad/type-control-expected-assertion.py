# expect: type.control-expected 4:12 an assertion is control
@proc
def p(x: f32):
    assert x
    pass
