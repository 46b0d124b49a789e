# expect: type.comparison 4:8 `<` cannot compare a `bool` with a `bool`
@proc
def p(a: bool, b: bool, x: f32):
    if a < b:
        x = 0.0
