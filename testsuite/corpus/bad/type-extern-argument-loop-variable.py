# expect: type.extern-argument 5:28 `fmaxf` is a function of data, not of an `index`
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = fmaxf(x[i], i)
