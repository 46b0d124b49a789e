# expect: name.unknown-extern 4:9 `tanh` is not an extern
@proc
def p(x: f32):
    x = tanh(x)
