# expect: type.bool-arithmetic 4:8 `-` does not apply to truth values
@proc
def p(b: bool, x: f32[8]):
    x[-b] = 0.0
