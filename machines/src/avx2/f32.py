# AVX2 with FMA: 8 floats in a register. The masked forms change the first n lanes.


@instr("{dst_data} = _mm256_loadu_ps(&{src_data});")
def mm256_loadu_ps(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("_mm256_storeu_ps(&{dst_data}, {src_data});")
def mm256_storeu_ps(dst: [f32][8] @ DRAM, src: [f32][8] @ AVX2):
    assert stride(dst, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def mm256_mov_ps(dst: [f32][8] @ AVX2, src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = src[i]


@instr("{dst_data} = _mm256_setzero_ps();")
def mm256_setzero_ps(dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = 0.0


@instr("{dst_data} = _mm256_set1_ps(*{src});")
def mm256_set1_ps(dst: [f32][8] @ AVX2, src: f32 @ DRAM):
    for i in seq(0, 8):
        dst[i] = src


@instr("{dst_data} = _mm256_add_ps({a_data}, {b_data});")
def mm256_add_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm256_sub_ps({a_data}, {b_data});")
def mm256_sub_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm256_mul_ps({a_data}, {b_data});")
def mm256_mul_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm256_div_ps({a_data}, {b_data});")
def mm256_div_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = _mm256_add_ps({dst_data}, {a_data});")
def mm256_accumulate_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += a[i]


@instr("{dst_data} = _mm256_fmadd_ps({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm256_fmadd_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm256_fnmadd_ps({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm256_fnmadd_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += -(a[i] * b[i])


@instr("{dst_data} = _mm256_fmadd_ps(_mm256_set1_ps(*{a}), {b_data}, {dst_data});", rounds="fused")
def mm256_fmadd_set1_ps(dst: [f32][8] @ AVX2, a: f32 @ DRAM, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += a * b[i]


@instr("{dst_data} = _mm256_sub_ps(_mm256_set1_ps(-0.0f), {a_data});")
def mm256_neg_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = -a[i]


@instr("{dst_data} = _mm256_max_ps({a_data}, _mm256_setzero_ps());")
def mm256_relu_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = relu(a[i])


@instr("{dst_data} = _mm256_blendv_ps({d_data}, {c_data}, _mm256_cmp_ps({a_data}, {b_data}, _CMP_LT_OQ));")
def mm256_select_ps(
    dst: [f32][8] @ AVX2,
    a: [f32][8] @ AVX2,
    b: [f32][8] @ AVX2,
    c: [f32][8] @ AVX2,
    d: [f32][8] @ AVX2,
):
    for i in seq(0, 8):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_maskload_ps(&{src_data}, "
    "_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, "
    "2, 3, 4, 5, 6, 7))));"
)
def mm256_mask_loadu_ps(n: size, dst: [f32][8] @ AVX2, src: [f32][n] @ DRAM):
    assert n <= 8
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("mm256_mask_storeu_ps(&{dst_data}, {n}, {src_data});", """
#include <immintrin.h>
// By parts: there are processors that take longer for a masked store than for ten others.
static inline __attribute__((always_inline)) void mm256_mask_storeu_ps(float *dst, int_fast32_t n, __m256 src) {
    if (n >= 8) {
        _mm256_storeu_ps(dst, src);
        return;
    }
    __m128 part = _mm256_castps256_ps128(src);
    if (n & 4) {
        _mm_storeu_ps(dst, part);
        part = _mm256_extractf128_ps(src, 1);
        dst += 4;
    }
    if (n & 2) {
        _mm_storel_pi((__m64 *)dst, part);
        part = _mm_movehl_ps(part, part);
        dst += 2;
    }
    if (n & 1) {
        _mm_store_ss(dst, part);
    }
}
""", cflags="-mavx2")
def mm256_mask_storeu_ps(n: size, dst: [f32][n] @ DRAM, src: [f32][8] @ AVX2):
    assert n <= 8
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_set1_ps(*{src}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, "
    "2, 3, 4, 5, 6, 7))));"
)
def mm256_mask_set1_ps(n: size, dst: [f32][8] @ AVX2, src: f32 @ DRAM):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = src


# In the other lanes 0 * -0, which is -0, is added: that changes nothing, raises no flag, and what a loop keeps is chosen once.
@instr(
    "{dst_data} = _mm256_fmadd_ps(_mm256_and_ps(_mm256_set1_ps(*{a}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))), "
    "_mm256_blendv_ps(_mm256_set1_ps(-0.0f), {b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_mask_fmadd_set1_ps(n: size, dst: [f32][8] @ AVX2, a: f32 @ DRAM, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += a * b[i]


@instr(
    "{dst_data} = _mm256_fmadd_ps(_mm256_and_ps({a_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))), "
    "_mm256_blendv_ps(_mm256_set1_ps(-0.0f), {b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_mask_fmadd_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), {a_data});")
def mm256_abs_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm256_blendv_ps(_mm256_max_ps({a_data}, {b_data}), {a_data}, _mm256_cmp_ps({b_data}, "
    "{b_data}, _CMP_UNORD_Q));"
)
def mm256_max_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_ps(_mm256_min_ps({a_data}, {b_data}), {a_data}, _mm256_cmp_ps({b_data}, "
    "{b_data}, _CMP_UNORD_Q));"
)
def mm256_min_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = _mm256_sqrt_ps({a_data});")
def mm256_sqrt_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = sqrt(a[i])


# Neighbours are added until one number of each half is left.
@proc
def mm256_sum_ps(dst: f32, src: [f32][8]):
    pair: f32[4]
    for i in seq(0, 4):
        pair[i] = src[2 * i] + src[2 * i + 1]
    for i in seq(0, 2):
        pair[i] = pair[2 * i] + pair[2 * i + 1]
    dst += pair[0] + pair[1]


@instr(
    "*{dst} += _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(_mm256_hadd_ps(_mm256_hadd_ps({src_data}, "
    "{src_data}), _mm256_hadd_ps({src_data}, {src_data}))), "
    "_mm256_extractf128_ps(_mm256_hadd_ps(_mm256_hadd_ps({src_data}, {src_data}), "
    "_mm256_hadd_ps({src_data}, {src_data})), 1)));",
    rounds=mm256_sum_ps,
)
def mm256_reduce_add_ps(dst: f32 @ DRAM, src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst += src[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, {src_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_mov_ps(n: size, dst: [f32][8] @ AVX2, src: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_setzero_ps(), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_setzero_ps(n: size, dst: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = 0.0


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_add_ps({a_data}, {b_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_add_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] + b[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_sub_ps({a_data}, {b_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_sub_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] - b[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_mul_ps({a_data}, {b_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_mul_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] * b[i]


@instr(
    # A lane that is left out divides by 1: 0 / 0 would raise an exception.
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_div_ps({a_data}, "
    "_mm256_blendv_ps(_mm256_set1_ps(1.0f), {b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))))), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_div_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = a[i] / b[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_add_ps({dst_data}, {a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_accumulate_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += a[i]


@instr(
    "{dst_data} = _mm256_fnmadd_ps(_mm256_and_ps({a_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))), "
    "_mm256_and_ps({b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_mask_fnmadd_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_sub_ps(_mm256_set1_ps(-0.0f), {a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_neg_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = -a[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_andnot_ps(_mm256_set1_ps(-0.0f), {a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_abs_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_blendv_ps(_mm256_max_ps({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_ps({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_max_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_blendv_ps(_mm256_min_ps({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_ps({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_min_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = fminf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_sqrt_ps({a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)({n})), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))));"
)
def mm256_mask_sqrt_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    assert n <= 8
    for i in seq(0, n):
        dst[i] = sqrt(a[i])


# The lanes below a bound, which may be larger than all of them.


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_maskload_ps(&{src_data}, "
    "_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7))), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_loadu_ps(n: size, dst: [f32][8] @ AVX2, src: [f32][n] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]


@instr(
    "_mm256_maskstore_ps(&{dst_data}, "
    "_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7)), {src_data});"
)
def mm256_below_storeu_ps(n: size, dst: [f32][n] @ DRAM, src: [f32][8] @ AVX2):
    assert stride(dst, 0) == 1
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, {src_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_mov_ps(n: size, dst: [f32][8] @ AVX2, src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_setzero_ps(), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_setzero_ps(n: size, dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = 0.0


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_set1_ps(*{src}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_set1_ps(n: size, dst: [f32][8] @ AVX2, src: f32 @ DRAM):
    for i in seq(0, 8):
        if i < n:
            dst[i] = src


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_add_ps({a_data}, {b_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_add_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] + b[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_sub_ps({a_data}, {b_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_sub_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] - b[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_mul_ps({a_data}, {b_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_mul_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] * b[i]


@instr(
    # A lane that is left out divides by 1: 0 / 0 would raise an exception.
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_div_ps({a_data}, "
    "_mm256_blendv_ps(_mm256_set1_ps(1.0f), {b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))))), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_div_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = a[i] / b[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_add_ps({dst_data}, {a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_accumulate_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] += a[i]


@instr(
    "{dst_data} = _mm256_fmadd_ps(_mm256_and_ps({a_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7)))), "
    "_mm256_blendv_ps(_mm256_set1_ps(-0.0f), {b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_below_fmadd_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] += a[i] * b[i]


@instr(
    "{dst_data} = _mm256_fnmadd_ps(_mm256_and_ps({a_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7)))), "
    "_mm256_and_ps({b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), _mm256_setr_epi32(0, 1, 2, 3, "
    "4, 5, 6, 7)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_below_fnmadd_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_sub_ps(_mm256_set1_ps(-0.0f), {a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_neg_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = -a[i]


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_andnot_ps(_mm256_set1_ps(-0.0f), {a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_abs_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_blendv_ps(_mm256_max_ps({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_ps({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_max_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_blendv_ps(_mm256_min_ps({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_ps({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_min_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = fminf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_sqrt_ps({a_data}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)(({n}) < 8 ? ({n}) : 8)), "
    "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));"
)
def mm256_below_sqrt_ps(n: size, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < n:
            dst[i] = sqrt(a[i])
