# expect: type.control-expected 4:7 not a data literal
@proc
def p(x: f32[8]):
    x[1.5] = 0.0
