# expect: syntax.signature 3:17 no default
@proc
def p(n: size = 4):
    pass
