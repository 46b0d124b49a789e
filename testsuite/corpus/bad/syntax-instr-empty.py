# expect: syntax.instr 2:2 needs its C
@instr()
def p(x: f32):
    x = 0.0
