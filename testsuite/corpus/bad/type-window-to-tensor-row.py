# expect: type.window-to-tensor 8:9 argument `x` of `row` is a dense tensor
@proc
def row(x: f32[8]):
    x[0] = 0.0

@proc
def p(x: f32[4, 8]):
    row(x[0])
