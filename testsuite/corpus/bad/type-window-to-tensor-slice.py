# expect: type.window-to-tensor 8:16 argument `src` of `copy` is a dense tensor
@proc
def copy(n: size, dst: f32[n, 4], src: f32[n, 4]):
    pass

@proc
def p(x: f32[4, 4], y: f32[8, 4]):
    copy(4, x, y[0:4, 0:4])
