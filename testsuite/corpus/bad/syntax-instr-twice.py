# expect: syntax.instr 2:16 given twice
@instr("f();", c_instr="g();")
def p(x: f32):
    x = 0.0
