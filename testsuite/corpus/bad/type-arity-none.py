# expect: type.arity 8:5 `nothing` takes 0 arguments, not 1
@proc
def nothing():
    pass

@proc
def p(x: f32):
    nothing(x)
