# command: compile
# expect: backend.parallel 18:17 iterations of the parallel loop over i may meet in a cell of v
@instr("{dst_data} = _mm256_blend_ps({dst_data}, _mm256_set1_ps(*{src}), 0x0F);")
def low(dst: [f32][8] @ AVX2, src: f32 @ DRAM):
    for i in seq(0, 4):
        dst[i] = src

@instr("{dst_data} = _mm256_blend_ps({dst_data}, _mm256_set1_ps(*{src}), 0xF0);")
def high(dst: [f32][8] @ AVX2, src: f32 @ DRAM):
    for i in seq(4, 8):
        dst[i] = src

@proc
def p(a: f32):
    v: f32[8] @ AVX2
    for i in par(0, 2):
        if i == 0:
            low(v[0:8], a)
        else:
            high(v[0:8], a)
