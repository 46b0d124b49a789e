# expect: syntax.type 3:10 `float` is not a type
@proc
def p(x: float):
    pass
