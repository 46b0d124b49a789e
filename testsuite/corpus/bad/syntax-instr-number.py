# expect: syntax.instr 2:8 constant string
@instr(4)
def p(x: f32):
    x = 0.0
