# expect: type.control-expected 4:8 the condition of an `if` is control
@proc
def p(x: f32):
    if x:
        x = 0.0
