# AVX-512F: 16 floats in a register. The masked forms change the first n lanes; `maskz` clears the others.


@instr("{dst_data} = _mm512_loadu_ps(&{src_data});")
def mm512_loadu_ps(dst: [f32][16] @ AVX512, src: [f32][16] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("_mm512_storeu_ps(&{dst_data}, {src_data});")
def mm512_storeu_ps(dst: [f32][16] @ DRAM, src: [f32][16] @ AVX512):
    assert stride(dst, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def mm512_mov_ps(dst: [f32][16] @ AVX512, src: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_setzero_ps();")
def mm512_setzero_ps(dst: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = 0.0


@instr("{dst_data} = _mm512_set1_ps(*{src});")
def mm512_set1_ps(dst: [f32][16] @ AVX512, src: f32 @ DRAM):
    for i in seq(0, 16):
        dst[i] = src


@instr("{dst_data} = _mm512_add_ps({a_data}, {b_data});")
def mm512_add_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm512_sub_ps({a_data}, {b_data});")
def mm512_sub_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm512_mul_ps({a_data}, {b_data});")
def mm512_mul_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm512_div_ps({a_data}, {b_data});")
def mm512_div_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = _mm512_add_ps({dst_data}, {a_data});")
def mm512_accumulate_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] += a[i]


@instr("{dst_data} = _mm512_fmadd_ps({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm512_fmadd_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm512_fnmadd_ps({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm512_fnmadd_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] += -(a[i] * b[i])


@instr("{dst_data} = _mm512_fmadd_ps(_mm512_set1_ps(*{a}), {b_data}, {dst_data});", rounds="fused")
def mm512_fmadd_set1_ps(dst: [f32][16] @ AVX512, a: f32 @ DRAM, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] += a * b[i]


@instr("{dst_data} = _mm512_fnmadd_ps(_mm512_set1_ps(*{a}), {b_data}, {dst_data});", rounds="fused")
def mm512_fnmadd_set1_ps(dst: [f32][16] @ AVX512, a: f32 @ DRAM, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] += -(a * b[i])


@instr("{dst_data} = _mm512_sub_ps(_mm512_set1_ps(-0.0f), {a_data});")
def mm512_neg_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = -a[i]


@instr("{dst_data} = _mm512_max_ps({a_data}, _mm512_setzero_ps());")
def mm512_relu_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = relu(a[i])


@instr(
    "{dst_data} = _mm512_mask_blend_ps(_mm512_cmp_ps_mask({a_data}, {b_data}, _CMP_LT_OQ), {d_data}, "
    "{c_data});"
)
def mm512_select_ps(
    dst: [f32][16] @ AVX512,
    a: [f32][16] @ AVX512,
    b: [f32][16] @ AVX512,
    c: [f32][16] @ AVX512,
    d: [f32][16] @ AVX512,
):
    for i in seq(0, 16):
        dst[i] = select(a[i], b[i], c[i], d[i])


# Halves are added until one number is left.
@proc
def mm512_sum_ps(dst: f32, src: [f32][16]):
    half: f32[8]
    for i in seq(0, 8):
        half[i] = src[i] + src[8 + i]
    for i in seq(0, 4):
        half[i] += half[4 + i]
    for i in seq(0, 2):
        half[i] += half[2 + i]
    dst += half[0] + half[1]


@instr("*{dst} += _mm512_reduce_add_ps({src_data});", rounds=mm512_sum_ps)
def mm512_reduce_add_ps(dst: f32 @ DRAM, src: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst += src[i]


@instr("{dst_data} = _mm512_maskz_loadu_ps((__mmask16)((1u << ({n})) - 1u), &{src_data});")
def mm512_maskz_loadu_ps(n: size, dst: [f32][16] @ AVX512, src: [f32][n] @ DRAM):
    assert n <= 16
    assert stride(src, 0) == 1
    for i in seq(0, 16):
        if i < n:
            dst[i] = src[i]
        else:
            dst[i] = 0.0


@instr("{dst_data} = _mm512_mask_loadu_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), &{src_data});")
def mm512_mask_loadu_ps(n: size, dst: [f32][16] @ AVX512, src: [f32][n] @ DRAM):
    assert n <= 16
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("_mm512_mask_storeu_ps(&{dst_data}, (__mmask16)((1u << ({n})) - 1u), {src_data});")
def mm512_mask_storeu_ps(n: size, dst: [f32][n] @ DRAM, src: [f32][16] @ AVX512):
    assert n <= 16
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), "
    "_mm512_set1_ps(*{src}));"
)
def mm512_mask_set1_ps(n: size, dst: [f32][16] @ AVX512, src: f32 @ DRAM):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = src


@instr("{dst_data} = _mm512_mask_add_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_add_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm512_mask_mul_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_mul_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask3_fmadd_ps(_mm512_set1_ps(*{a}), {b_data}, {dst_data}, (__mmask16)((1u "
    "<< ({n})) - 1u));",
    rounds="fused",
)
def mm512_mask_fmadd_set1_ps(n: size, dst: [f32][16] @ AVX512, a: f32 @ DRAM, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] += a * b[i]


@instr("{dst_data} = _mm512_mask3_fmadd_ps({a_data}, {b_data}, {dst_data}, (__mmask16)((1u << ({n})) - 1u));", rounds="fused")
def mm512_mask_fmadd_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm512_abs_ps({a_data});")
def mm512_abs_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps(_mm512_max_ps({a_data}, {b_data}), _mm512_cmp_ps_mask({b_data}, "
    "{b_data}, _CMP_UNORD_Q), {a_data});"
)
def mm512_max_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps(_mm512_min_ps({a_data}, {b_data}), _mm512_cmp_ps_mask({b_data}, "
    "{b_data}, _CMP_UNORD_Q), {a_data});"
)
def mm512_min_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = _mm512_sqrt_ps({a_data});")
def mm512_sqrt_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = sqrt(a[i])


@instr("{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), {src_data});")
def mm512_mask_mov_ps(n: size, dst: [f32][16] @ AVX512, src: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), _mm512_setzero_ps());")
def mm512_mask_setzero_ps(n: size, dst: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = 0.0


@instr("{dst_data} = _mm512_mask_sub_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_sub_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm512_mask_div_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), {a_data}, {b_data});")
def mm512_mask_div_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = _mm512_mask_add_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), {dst_data}, {a_data});")
def mm512_mask_accumulate_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] += a[i]


@instr(
    "{dst_data} = _mm512_mask3_fnmadd_ps({a_data}, {b_data}, {dst_data}, "
    "(__mmask16)((1u << ({n})) - 1u));",
    rounds="fused",
)
def mm512_mask_fnmadd_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm512_mask3_fnmadd_ps(_mm512_set1_ps(*{a}), {b_data}, {dst_data}, "
    "(__mmask16)((1u << ({n})) - 1u));",
    rounds="fused",
)
def mm512_mask_fnmadd_set1_ps(n: size, dst: [f32][16] @ AVX512, a: f32 @ DRAM, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] += -(a * b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), "
    "_mm512_sub_ps(_mm512_set1_ps(-0.0f), {a_data}));"
)
def mm512_mask_neg_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = -a[i]


@instr("{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), _mm512_abs_ps({a_data}));")
def mm512_mask_abs_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), "
    "_mm512_mask_mov_ps(_mm512_max_ps({a_data}, {b_data}), _mm512_cmp_ps_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_mask_max_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), "
    "_mm512_mask_mov_ps(_mm512_min_ps({a_data}, {b_data}), _mm512_cmp_ps_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_mask_min_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)((1u << ({n})) - 1u), _mm512_sqrt_ps({a_data}));")
def mm512_mask_sqrt_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    assert n <= 16
    for i in seq(0, n):
        dst[i] = sqrt(a[i])


# The lanes below a bound, which may be larger than all of them.


@instr(
    "{dst_data} = _mm512_mask_loadu_ps({dst_data}, "
    "(__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), &{src_data});"
)
def mm512_below_loadu_ps(n: size, dst: [f32][16] @ AVX512, src: [f32][n] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 16):
        if i < n:
            dst[i] = src[i]


@instr("_mm512_mask_storeu_ps(&{dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), {src_data});")
def mm512_below_storeu_ps(n: size, dst: [f32][n] @ DRAM, src: [f32][16] @ AVX512):
    assert stride(dst, 0) == 1
    for i in seq(0, 16):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "{src_data});"
)
def mm512_below_mov_ps(n: size, dst: [f32][16] @ AVX512, src: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_setzero_ps());"
)
def mm512_below_setzero_ps(n: size, dst: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = 0.0


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_set1_ps(*{src}));"
)
def mm512_below_set1_ps(n: size, dst: [f32][16] @ AVX512, src: f32 @ DRAM):
    for i in seq(0, 16):
        if i < n:
            dst[i] = src


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_add_ps({a_data}, {b_data}));"
)
def mm512_below_add_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = a[i] + b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_sub_ps({a_data}, {b_data}));"
)
def mm512_below_sub_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = a[i] - b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_mul_ps({a_data}, {b_data}));"
)
def mm512_below_mul_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_div_ps({a_data}, {b_data}));"
)
def mm512_below_div_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = a[i] / b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_add_ps({dst_data}, {a_data}));"
)
def mm512_below_accumulate_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] += a[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_fmadd_ps({a_data}, {b_data}, {dst_data}));",
    rounds="fused",
)
def mm512_below_fmadd_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] += a[i] * b[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_fnmadd_ps({a_data}, {b_data}, {dst_data}));",
    rounds="fused",
)
def mm512_below_fnmadd_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_sub_ps(_mm512_set1_ps(-0.0f), {a_data}));"
)
def mm512_below_neg_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = -a[i]


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_abs_ps({a_data}));"
)
def mm512_below_abs_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_mask_mov_ps(_mm512_max_ps({a_data}, {b_data}), _mm512_cmp_ps_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_below_max_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_mask_mov_ps(_mm512_min_ps({a_data}, {b_data}), _mm512_cmp_ps_mask({b_data}, {b_data}, "
    "_CMP_UNORD_Q), {a_data}));"
)
def mm512_below_min_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = fminf(a[i], b[i])


@instr(
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, (__mmask16)(({n}) < 16 ? (1u << ({n})) - 1u : 0xFFFFu), "
    "_mm512_sqrt_ps({a_data}));"
)
def mm512_below_sqrt_ps(n: size, dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512):
    for i in seq(0, 16):
        if i < n:
            dst[i] = sqrt(a[i])
