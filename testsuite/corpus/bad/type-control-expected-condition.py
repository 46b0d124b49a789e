# expect: type.control-expected 4:8 the condition of an `if` must be control
@proc
def p(x: f32):
    if x:
        x = 0.0
