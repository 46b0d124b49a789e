# The last lanes of a register: those from a bound on.


@instr("{dst_data} = _mm512_mask_loadu_ps({dst_data}, (__mmask16)(~0u << ({n})), &{src_data});")
def mm512_from_loadu_ps(n: index, dst: [f32][16] @ AVX512, src: [f32][16] @ DRAM):
    assert 0 <= n
    assert n <= 16
    assert stride(src, 0) == 1
    for i in seq(n, 16):
        dst[i] = src[i]


@instr("_mm512_mask_storeu_ps(&{dst_data}, (__mmask16)(~0u << ({n})), {src_data});")
def mm512_from_storeu_ps(n: index, dst: [f32][16] @ DRAM, src: [f32][16] @ AVX512):
    assert 0 <= n
    assert n <= 16
    assert stride(dst, 0) == 1
    for i in seq(n, 16):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_mask3_fmadd_ps({a_data}, {b_data}, {dst_data}, (__mmask16)(~0u << ({n})));", rounds="fused")
def mm512_from_fmadd_ps(n: index, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert 0 <= n
    assert n <= 16
    for i in seq(n, 16):
        dst[i] += a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask3_fmadd_ps(_mm512_set1_ps(*{a}), {b_data}, {dst_data}, "
    "(__mmask16)(~0u << ({n})));",
    rounds="fused",
)
def mm512_from_fmadd_set1_ps(n: index, dst: [f32][16] @ AVX512, a: f32 @ DRAM, b: [f32][16] @ AVX512):
    assert 0 <= n
    assert n <= 16
    for i in seq(n, 16):
        dst[i] += a * b[i]


@instr(
    "{dst_data} = _mm512_mask3_fnmadd_ps(_mm512_set1_ps(*{a}), {b_data}, {dst_data}, "
    "(__mmask16)(~0u << ({n})));",
    rounds="fused",
)
def mm512_from_fnmadd_set1_ps(n: index, dst: [f32][16] @ AVX512, a: f32 @ DRAM, b: [f32][16] @ AVX512):
    assert 0 <= n
    assert n <= 16
    for i in seq(n, 16):
        dst[i] += -(a * b[i])


@instr("{dst_data} = _mm512_mask_loadu_pd({dst_data}, (__mmask8)(~0u << ({n})), &{src_data});")
def mm512_from_loadu_pd(n: index, dst: [f64][8] @ AVX512, src: [f64][8] @ DRAM):
    assert 0 <= n
    assert n <= 8
    assert stride(src, 0) == 1
    for i in seq(n, 8):
        dst[i] = src[i]


@instr("_mm512_mask_storeu_pd(&{dst_data}, (__mmask8)(~0u << ({n})), {src_data});")
def mm512_from_storeu_pd(n: index, dst: [f64][8] @ DRAM, src: [f64][8] @ AVX512):
    assert 0 <= n
    assert n <= 8
    assert stride(dst, 0) == 1
    for i in seq(n, 8):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_mask3_fmadd_pd({a_data}, {b_data}, {dst_data}, (__mmask8)(~0u << ({n})));", rounds="fused")
def mm512_from_fmadd_pd(n: index, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert 0 <= n
    assert n <= 8
    for i in seq(n, 8):
        dst[i] += a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask3_fmadd_pd(_mm512_set1_pd(*{a}), {b_data}, {dst_data}, "
    "(__mmask8)(~0u << ({n})));",
    rounds="fused",
)
def mm512_from_fmadd_set1_pd(n: index, dst: [f64][8] @ AVX512, a: f64 @ DRAM, b: [f64][8] @ AVX512):
    assert 0 <= n
    assert n <= 8
    for i in seq(n, 8):
        dst[i] += a * b[i]


@instr(
    "{dst_data} = _mm512_mask3_fnmadd_pd(_mm512_set1_pd(*{a}), {b_data}, {dst_data}, "
    "(__mmask8)(~0u << ({n})));",
    rounds="fused",
)
def mm512_from_fnmadd_set1_pd(n: index, dst: [f64][8] @ AVX512, a: f64 @ DRAM, b: [f64][8] @ AVX512):
    assert 0 <= n
    assert n <= 8
    for i in seq(n, 8):
        dst[i] += -(a * b[i])
