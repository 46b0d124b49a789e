# expect: syntax.type 3:10 one memory
@proc
def p(x: f32[4] @ DRAM @ DRAM):
    pass
