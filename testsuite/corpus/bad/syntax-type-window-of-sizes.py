# expect: syntax.type 3:10 data of one type
@proc
def p(x: [size][4]):
    pass
