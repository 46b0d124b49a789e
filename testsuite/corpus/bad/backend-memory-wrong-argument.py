# command: compile
# expect: backend.memory-access 13:10 dst of load lives in AVX2
# expect: backend.memory-access 13:18 src of load lives in DRAM
@instr("{dst_data} = _mm256_loadu_ps(&{src_data});")
def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    for i in seq(0, 8):
        dst[i] = src[i]


@proc
def swapped(x: f32[8]):
    v: f32[8] @ AVX2
    load(x[0:8], v[0:8])
