# expect: type.bool-arithmetic 4:11 `+` does not apply to truth values
@proc
def p(b: bool, n: size, x: f32[8]):
    x[n + b] = 0.0
