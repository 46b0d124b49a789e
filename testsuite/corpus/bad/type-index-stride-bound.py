# expect: type.index 4:21 a loop bound is an integer, not a `stride`
@proc
def p(s: stride, x: f32):
    for i in seq(0, s):
        x = 0.0
