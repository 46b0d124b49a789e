# expect: syntax.signature 3:7 `x` has no type
@proc
def p(x):
    pass
