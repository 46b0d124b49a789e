# command: compile
# expect: backend.processor 13:5 one unit for two processors, AArch64 and x86-64
# Each procedure has C by itself, but no compiler makes code for both.
@proc
def narrow(x: f32[4], y: f32[4]):
    v: f32[4] @ Neon
    neon_vld1q_f32(v, x)
    neon_vst1q_f32(y, v)


@proc
def wide(x: f32[8], y: f32[8]):
    v: f32[8] @ AVX2
    mm256_loadu_ps(v, x)
    mm256_storeu_ps(y, v)
