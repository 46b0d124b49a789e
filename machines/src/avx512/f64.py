# AVX-512F: 8 doubles in a register. The masked forms change the first n lanes; `maskz` clears the others.


@instr("{dst_data} = _mm512_loadu_pd(&{src_data});")
def mm512_loadu_pd(dst: [f64][8] @ AVX512, src: [f64][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("_mm512_storeu_pd(&{dst_data}, {src_data});")
def mm512_storeu_pd(dst: [f64][8] @ DRAM, src: [f64][8] @ AVX512):
    assert stride(dst, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def mm512_mov_pd(dst: [f64][8] @ AVX512, src: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_setzero_pd();")
def mm512_setzero_pd(dst: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = 0.0


@instr("{dst_data} = _mm512_set1_pd(*{src});")
def mm512_set1_pd(dst: [f64][8] @ AVX512, src: f64 @ DRAM):
    for i in seq(0, 8):
        dst[i] = src


@instr("{dst_data} = _mm512_add_pd({a_data}, {b_data});")
def mm512_add_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm512_sub_pd({a_data}, {b_data});")
def mm512_sub_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm512_mul_pd({a_data}, {b_data});")
def mm512_mul_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm512_div_pd({a_data}, {b_data});")
def mm512_div_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = _mm512_add_pd({dst_data}, {a_data});")
def mm512_accumulate_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] += a[i]


@instr("{dst_data} = _mm512_fmadd_pd({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm512_fmadd_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm512_fnmadd_pd({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm512_fnmadd_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] += -(a[i] * b[i])


@instr("{dst_data} = _mm512_fmadd_pd(_mm512_set1_pd(*{a}), {b_data}, {dst_data});", rounds="fused")
def mm512_fmadd_set1_pd(dst: [f64][8] @ AVX512, a: f64 @ DRAM, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] += a * b[i]


@instr("{dst_data} = _mm512_sub_pd(_mm512_set1_pd(-0.0), {a_data});")
def mm512_neg_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = -a[i]


@instr("{dst_data} = _mm512_max_pd({a_data}, _mm512_setzero_pd());")
def mm512_relu_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = relu(a[i])


@instr(
    "{dst_data} = _mm512_mask_blend_pd(_mm512_cmp_pd_mask({a_data}, {b_data}, _CMP_LT_OQ), {d_data}, "
    "{c_data});"
)
def mm512_select_pd(
    dst: [f64][8] @ AVX512,
    a: [f64][8] @ AVX512,
    b: [f64][8] @ AVX512,
    c: [f64][8] @ AVX512,
    d: [f64][8] @ AVX512,
):
    for i in seq(0, 8):
        dst[i] = select(a[i], b[i], c[i], d[i])


# Halves are added until one number is left.
@proc
def mm512_sum_pd(dst: f64, src: [f64][8]):
    half: f64[4]
    for i in seq(0, 4):
        half[i] = src[i] + src[4 + i]
    for i in seq(0, 2):
        half[i] += half[2 + i]
    dst += half[0] + half[1]


@instr("*{dst} += _mm512_reduce_add_pd({src_data});", rounds=mm512_sum_pd)
def mm512_reduce_add_pd(dst: f64 @ DRAM, src: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst += src[i]


@instr("{dst_data} = _mm512_maskz_loadu_pd((__mmask8)((1u << ({n})) - 1u), &{src_data});")
def mm512_maskz_loadu_pd(n: size, dst: [f64][8] @ AVX512, src: [f64][n] @ DRAM):
    assert n <= 8
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]
        else:
            dst[i] = 0.0


@instr("{dst_data} = _mm512_mask_loadu_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), &{src_data});")
def mm512_mask_loadu_pd(n: size, dst: [f64][8] @ AVX512, src: [f64][n] @ DRAM):
    assert n <= 8
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("_mm512_mask_storeu_pd(&{dst_data}, (__mmask8)((1u << ({n})) - 1u), {src_data});")
def mm512_mask_storeu_pd(n: size, dst: [f64][n] @ DRAM, src: [f64][8] @ AVX512):
    assert n <= 8
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), _mm512_set1_pd(*{src}));")
def mm512_mask_set1_pd(n: size, dst: [f64][8] @ AVX512, src: f64 @ DRAM):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = src


@instr("{dst_data} = _mm512_mask_add_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_add_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm512_mask_mul_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_mul_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask3_fmadd_pd(_mm512_set1_pd(*{a}), {b_data}, {dst_data}, (__mmask8)((1u "
    "<< ({n})) - 1u));",
    rounds="fused",
)
def mm512_mask_fmadd_set1_pd(n: size, dst: [f64][8] @ AVX512, a: f64 @ DRAM, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += a * b[i]


@instr("{dst_data} = _mm512_mask3_fmadd_pd({a_data}, {b_data}, {dst_data}, (__mmask8)((1u << ({n})) - 1u));", rounds="fused")
def mm512_mask_fmadd_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += a[i] * b[i]
