# expect: name.window-rebinds 5:5 `y` is bound already
@proc
def p(x: f32[8]):
    y = x[0:4]
    y = x[4:8]
