# expect: syntax.instr 2:34 two arguments at most
@instr("f();", "#include <f.h>", "g")
def p(x: f32):
    x = 0.0
