# expect: type.extern-arity 4:9 `sin` takes 1 argument, not 2
@proc
def p(x: f32):
    x = sin(x, x)
