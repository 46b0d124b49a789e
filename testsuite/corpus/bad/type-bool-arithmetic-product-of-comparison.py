# expect: type.bool-arithmetic 4:26 `*` does not apply to truth values
@proc
def p(n: size, x: f32[8]):
    for i in seq(0, 2 * (n < 4)):
        x[0] = 0.0
