# expect: syntax.type 3:19 by its name
@proc
def p(x: f32[4] @ "DRAM"):
    pass
