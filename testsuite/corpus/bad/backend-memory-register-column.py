# command: compile
# expect: backend.memory-window 15:17 an operand in AVX2 is one whole register, and this is a column, one lane of each of several registers
# expect: backend.memory-window 17:17 an operand in AVX2 is one whole register, and this is a column, one lane of each of several registers
# expect: backend.memory-window 19:17 an operand in AVX2 is one whole register, and this is a column, one lane of each of several registers
# A column of a tile of registers is no register: what an instruction is given would be row 0.
@instr("_mm256_storeu_ps(&{dst_data}, {src_data});")
def store(dst: [f32][8] @ DRAM, src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = src[i]


@proc
def p(y: f32[8]):
    v: f32[8, 8] @ AVX2
    store(y[:], v[:, 0])
    w = v[0:8, 0]
    store(y[:], w)
    tile = v[0:8, 0:8]
    store(y[:], tile[0:8, 3])
