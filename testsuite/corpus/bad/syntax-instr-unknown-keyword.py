# expect: syntax.instr 2:8 no such keyword
@instr(template="f();")
def p(x: f32):
    x = 0.0
