# expect: syntax.literal 4:21 does not fit
@proc
def p(x: f32):
    for i in seq(0, 9223372036854775808):
        x = 0.0
