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


@instr("{dst_data} = _mm512_fnmadd_pd(_mm512_set1_pd(*{a}), {b_data}, {dst_data});", rounds="fused")
def mm512_fnmadd_set1_pd(dst: [f64][8] @ AVX512, a: f64 @ DRAM, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] += -(a * b[i])


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


@instr("{dst_data} = _mm512_abs_pd({a_data});")
def mm512_abs_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd(_mm512_max_pd({a_data}, {b_data}), _mm512_cmp_pd_mask({b_data}, "
    "{b_data}, _CMP_UNORD_Q), {a_data});"
)
def mm512_max_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd(_mm512_min_pd({a_data}, {b_data}), _mm512_cmp_pd_mask({b_data}, "
    "{b_data}, _CMP_UNORD_Q), {a_data});"
)
def mm512_min_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = _mm512_sqrt_pd({a_data});")
def mm512_sqrt_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = sqrt(a[i])


@instr("{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), {src_data});")
def mm512_mask_mov_pd(n: size, dst: [f64][8] @ AVX512, src: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), _mm512_setzero_pd());")
def mm512_mask_setzero_pd(n: size, dst: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = 0.0


@instr("{dst_data} = _mm512_mask_sub_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_sub_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm512_mask_div_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_div_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = _mm512_mask_add_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), {dst_data}, {a_data});")
def mm512_mask_accumulate_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += a[i]


@instr(
    "{dst_data} = _mm512_mask3_fnmadd_pd({a_data}, {b_data}, {dst_data}, (__mmask8)((1u << ({n})) - 1u));",
    rounds="fused",
)
def mm512_mask_fnmadd_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm512_mask3_fnmadd_pd(_mm512_set1_pd(*{a}), {b_data}, {dst_data}, "
    "(__mmask8)((1u << ({n})) - 1u));",
    rounds="fused",
)
def mm512_mask_fnmadd_set1_pd(n: size, dst: [f64][8] @ AVX512, a: f64 @ DRAM, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += -(a * b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), "
    "_mm512_sub_pd(_mm512_set1_pd(-0.0), {a_data}));"
)
def mm512_mask_neg_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = -a[i]


@instr("{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), _mm512_abs_pd({a_data}));")
def mm512_mask_abs_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), "
    "_mm512_mask_mov_pd(_mm512_max_pd({a_data}, {b_data}), _mm512_cmp_pd_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_mask_max_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), "
    "_mm512_mask_mov_pd(_mm512_min_pd({a_data}, {b_data}), _mm512_cmp_pd_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_mask_min_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), _mm512_sqrt_pd({a_data}));")
def mm512_mask_sqrt_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = sqrt(a[i])


# The lanes below a bound, which may be larger than all of them.


@instr(
    "{dst_data} = _mm512_mask_loadu_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "&{src_data});"
)
def mm512_below_loadu_pd(n: size, dst: [f64][8] @ AVX512, src: [f64][n] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]


@instr("_mm512_mask_storeu_pd(&{dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), {src_data});")
def mm512_below_storeu_pd(n: size, dst: [f64][n] @ DRAM, src: [f64][8] @ AVX512):
    assert stride(dst, 0) == 1
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "{src_data});"
)
def mm512_below_mov_pd(n: size, dst: [f64][8] @ AVX512, src: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_setzero_pd());"
)
def mm512_below_setzero_pd(n: size, dst: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = 0.0


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_set1_pd(*{src}));"
)
def mm512_below_set1_pd(n: size, dst: [f64][8] @ AVX512, src: f64 @ DRAM):
    for i in seq(0, 8):
        if i < n:
            dst[i] = src


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_add_pd({a_data}, {b_data}));"
)
def mm512_below_add_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] + b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_sub_pd({a_data}, {b_data}));"
)
def mm512_below_sub_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] - b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_mul_pd({a_data}, {b_data}));"
)
def mm512_below_mul_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_div_pd({a_data}, {b_data}));"
)
def mm512_below_div_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] / b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_add_pd({dst_data}, {a_data}));"
)
def mm512_below_accumulate_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] += a[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_fmadd_pd({a_data}, {b_data}, {dst_data}));",
    rounds="fused",
)
def mm512_below_fmadd_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] += a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_fnmadd_pd({a_data}, {b_data}, {dst_data}));",
    rounds="fused",
)
def mm512_below_fnmadd_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_sub_pd(_mm512_set1_pd(-0.0), {a_data}));"
)
def mm512_below_neg_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = -a[i]


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_abs_pd({a_data}));"
)
def mm512_below_abs_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_mask_mov_pd(_mm512_max_pd({a_data}, {b_data}), _mm512_cmp_pd_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_below_max_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_mask_mov_pd(_mm512_min_pd({a_data}, {b_data}), _mm512_cmp_pd_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_below_min_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = fminf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_pd({dst_data}, (__mmask8)(({n}) < 8 ? (1u << ({n})) - 1u : 0xFFu), "
    "_mm512_sqrt_pd({a_data}));"
)
def mm512_below_sqrt_pd(n: size, dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512):
    for i in seq(0, 8):
        if i < n:
            dst[i] = sqrt(a[i])


# Floats from memory become doubles.


@instr("{dst_data} = _mm512_cvtps_pd(_mm256_loadu_ps(&{src_data}));")
def mm512_cvt_loadu_ps_pd(dst: [f64][8] @ AVX512, src: [f32][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm512_mask_cvtps_pd({dst_data}, (__mmask8)((1u << ({n})) - 1u), "
    "_mm512_castps512_ps256(_mm512_maskz_loadu_ps((__mmask16)((1u << ({n})) - 1u), &{src_data})));"
)
def mm512_mask_cvt_loadu_ps_pd(n: size, dst: [f64][8] @ AVX512, src: [f32][n] @ DRAM):
    assert n <= 8
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]
