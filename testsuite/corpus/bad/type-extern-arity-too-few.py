# expect: type.extern-arity 4:9 `select` takes 4 arguments, not 3
@proc
def p(x: f32):
    x = select(0.0, x, 1.0)
