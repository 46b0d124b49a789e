# expect: syntax.type 3:11 no arrays of control
@proc
def p(ns: size[4]):
    pass
