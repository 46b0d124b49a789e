# expect: type.comparison 4:8 `==` cannot compare a `bool` with an `int`
@proc
def p(b: bool, x: f32):
    if b == 1:
        x = 0.0
