# expect: syntax.type 4:8 not allocated
@proc
def p():
    n: size
