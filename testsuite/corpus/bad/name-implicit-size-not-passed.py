# expect: type.arity 9:5 `scale` takes 2 arguments, not 1
@proc
def scale(x: f32[LEN]):
    for i in seq(0, LEN):
        x[i] = 2.0 * x[i]

@proc
def p(x: f32[8]):
    scale(x)
