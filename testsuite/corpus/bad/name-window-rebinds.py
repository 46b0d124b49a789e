# expect: name.window-rebinds 4:5 `y` is bound already
@proc
def p(x: f32[8], y: f32[4]):
    y = x[0:4]
