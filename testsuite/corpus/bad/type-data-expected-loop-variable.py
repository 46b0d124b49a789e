# expect: type.data-expected 5:23 an operand of `+` is data here, not an `index`
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = x[i] + i
