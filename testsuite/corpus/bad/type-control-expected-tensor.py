# expect: type.control-expected 4:21 not a tensor `f32[8]`
@proc
def p(x: f32[8], y: f32):
    for i in seq(0, x):
        y = 0.0
