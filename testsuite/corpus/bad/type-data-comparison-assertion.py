# expect: type.data-comparison 4:12 `==` cannot compare data
@proc
def p(x: f32):
    assert x == 0.0
    pass
