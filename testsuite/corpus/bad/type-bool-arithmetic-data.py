# expect: type.bool-arithmetic 4:13 `*` does not apply to truth values
@proc
def p(b: bool, x: f32):
    x = x * b
