# expect: instr.placeholder 2:8 no dimension 1
@instr("load({dst.strides[1]});")
def load(n: size, dst: [f32][8], src: [f32][8]):
    for i in seq(0, 8):
        dst[i] = src[i]
