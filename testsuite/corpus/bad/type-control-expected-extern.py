# expect: type.control-expected 4:21 a loop bound is control
@proc
def p(x: f32):
    for i in seq(0, relu(x)):
        x = 0.0
