# command: compile
# expect: backend.memory-window 12:10 an operand in AVX2 is one whole register, and this is a part of a register
@instr("{dst_data} = _mm256_setzero_ps();")
def zero(dst: [f32][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = 0.0


@proc
def upper_half():
    v: f32[8] @ AVX2
    zero(v[4:8])
