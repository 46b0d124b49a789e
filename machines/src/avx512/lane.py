# One lane of a register.


@instr("*{dst} = _mm512_cvtss_f32(_mm512_permutexvar_ps(_mm512_set1_epi32({k}), {src_data}));")
def mm512_lane_ps(dst: f32 @ DRAM, src: [f32][16] @ AVX512, k: index):
    assert 0 <= k
    assert k < 16
    dst = src[k]


@instr("*{dst} = _mm512_cvtsd_f64(_mm512_permutexvar_pd(_mm512_set1_epi64({k}), {src_data}));")
def mm512_lane_pd(dst: f64 @ DRAM, src: [f64][8] @ AVX512, k: index):
    assert 0 <= k
    assert k < 8
    dst = src[k]


@instr("{dst_data} = _mm512_mask_broadcastss_ps({dst_data}, (__mmask16)(1u << ({k})), _mm_set_ss(*{src}));")
def mm512_set_lane_ps(dst: [f32][16] @ AVX512, k: index, src: f32 @ DRAM):
    assert 0 <= k
    assert k < 16
    dst[k] = src


@instr("{dst_data} = _mm512_mask_broadcastsd_pd({dst_data}, (__mmask8)(1u << ({k})), _mm_set_sd(*{src}));")
def mm512_set_lane_pd(dst: [f64][8] @ AVX512, k: index, src: f64 @ DRAM):
    assert 0 <= k
    assert k < 8
    dst[k] = src
