# One lane of a register; and what is known of one taken from others, as equations are solved.


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


@instr(
    "{{ const __m512 known = _mm512_permutexvar_ps(_mm512_set1_epi32({k}), {dst_data}); *{x} = _mm512_cvtss_f32(known); "
    "{dst_data} = _mm512_mask3_fnmadd_ps(known, {b_data}, {dst_data}, (__mmask16)((1u << ({n})) - 1u)); }}",
    rounds="fused",
)
def mm512_mask_eliminate_ps(n: size, k: index, x: f32 @ DRAM, dst: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert 0 <= k
    assert k < 16
    assert n <= 16
    x = dst[k]
    for i in seq(0, n):
        dst[i] += -(x * b[i])


@instr(
    "{{ const __m512 known = _mm512_permutexvar_ps(_mm512_set1_epi32({k}), {dst_data}); *{x} = _mm512_cvtss_f32(known); "
    "{dst_data} = _mm512_mask3_fnmadd_ps(known, {b_data}, {dst_data}, (__mmask16)(~0u << ({n}))); }}",
    rounds="fused",
)
def mm512_from_eliminate_ps(n: index, k: index, x: f32 @ DRAM, dst: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert 0 <= k
    assert k < 16
    assert 0 <= n
    assert n <= 16
    x = dst[k]
    for i in seq(n, 16):
        dst[i] += -(x * b[i])


@instr(
    "{{ const __m512d known = _mm512_permutexvar_pd(_mm512_set1_epi64({k}), {dst_data}); *{x} = _mm512_cvtsd_f64(known); "
    "{dst_data} = _mm512_mask3_fnmadd_pd(known, {b_data}, {dst_data}, (__mmask8)((1u << ({n})) - 1u)); }}",
    rounds="fused",
)
def mm512_mask_eliminate_pd(n: size, k: index, x: f64 @ DRAM, dst: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert 0 <= k
    assert k < 8
    assert n <= 8
    x = dst[k]
    for i in seq(0, n):
        dst[i] += -(x * b[i])


@instr(
    "{{ const __m512d known = _mm512_permutexvar_pd(_mm512_set1_epi64({k}), {dst_data}); *{x} = _mm512_cvtsd_f64(known); "
    "{dst_data} = _mm512_mask3_fnmadd_pd(known, {b_data}, {dst_data}, (__mmask8)(~0u << ({n}))); }}",
    rounds="fused",
)
def mm512_from_eliminate_pd(n: index, k: index, x: f64 @ DRAM, dst: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert 0 <= k
    assert k < 8
    assert 0 <= n
    assert n <= 8
    x = dst[k]
    for i in seq(n, 8):
        dst[i] += -(x * b[i])
