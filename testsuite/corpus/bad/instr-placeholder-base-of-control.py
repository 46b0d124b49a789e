# expect: instr.placeholder 2:8 `{n_int}` names no argument
@instr("load({n_int});")
def load(n: size, dst: [f32][8], src: [f32][8]):
    for i in seq(0, 8):
        dst[i] = src[i]
