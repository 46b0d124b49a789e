# expect: syntax.literal 4:9 out of range
@proc
def p(x: f32):
    x = 1e9999
