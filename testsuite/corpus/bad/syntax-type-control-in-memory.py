# expect: syntax.type 3:17 no memory
@proc
def p(n: size @ DRAM):
    pass
