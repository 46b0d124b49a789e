# expect: type.arity 9:5 `fill` takes 2 arguments, not 3
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    fill(8, x, x)
