# expect: syntax.decorator 3:1 one decorator
@proc
@instr("f();")
def p(x: f32):
    x = 0.0
