# expect: type.control-expected 4:21 a loop bound is control, not data of type `f32`
@proc
def p(x: f32):
    for i in seq(0, x):
        x = 0.0
