# AVX2 with FMA: 4 doubles in a register. The masked forms change the first n lanes.


@instr("{dst_data} = _mm256_loadu_pd(&{src_data});")
def mm256_loadu_pd(dst: [f64][4] @ AVX2, src: [f64][4] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("_mm256_storeu_pd(&{dst_data}, {src_data});")
def mm256_storeu_pd(dst: [f64][4] @ DRAM, src: [f64][4] @ AVX2):
    assert stride(dst, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def mm256_mov_pd(dst: [f64][4] @ AVX2, src: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("{dst_data} = _mm256_setzero_pd();")
def mm256_setzero_pd(dst: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = 0.0


@instr("{dst_data} = _mm256_set1_pd(*{src});")
def mm256_set1_pd(dst: [f64][4] @ AVX2, src: f64 @ DRAM):
    for i in seq(0, 4):
        dst[i] = src


@instr("{dst_data} = _mm256_add_pd({a_data}, {b_data});")
def mm256_add_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm256_sub_pd({a_data}, {b_data});")
def mm256_sub_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm256_mul_pd({a_data}, {b_data});")
def mm256_mul_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm256_div_pd({a_data}, {b_data});")
def mm256_div_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = a[i] / b[i]


@instr("{dst_data} = _mm256_add_pd({dst_data}, {a_data});")
def mm256_accumulate_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] += a[i]


@instr("{dst_data} = _mm256_fmadd_pd({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm256_fmadd_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm256_fnmadd_pd({a_data}, {b_data}, {dst_data});", rounds="fused")
def mm256_fnmadd_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] += -(a[i] * b[i])


@instr("{dst_data} = _mm256_fmadd_pd(_mm256_set1_pd(*{a}), {b_data}, {dst_data});", rounds="fused")
def mm256_fmadd_set1_pd(dst: [f64][4] @ AVX2, a: f64 @ DRAM, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] += a * b[i]


@instr("{dst_data} = _mm256_sub_pd(_mm256_set1_pd(-0.0), {a_data});")
def mm256_neg_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = -a[i]


@instr("{dst_data} = _mm256_max_pd({a_data}, _mm256_setzero_pd());")
def mm256_relu_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = relu(a[i])


@instr("{dst_data} = _mm256_blendv_pd({d_data}, {c_data}, _mm256_cmp_pd({a_data}, {b_data}, _CMP_LT_OQ));")
def mm256_select_pd(
    dst: [f64][4] @ AVX2,
    a: [f64][4] @ AVX2,
    b: [f64][4] @ AVX2,
    c: [f64][4] @ AVX2,
    d: [f64][4] @ AVX2,
):
    for i in seq(0, 4):
        dst[i] = select(a[i], b[i], c[i], d[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_maskload_pd(&{src_data}, "
    "_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3))), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), "
    "_mm256_setr_epi64x(0, 1, 2, 3))));"
)
def mm256_mask_loadu_pd(n: size, dst: [f64][4] @ AVX2, src: [f64][n] @ DRAM):
    assert n <= 4
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr("mm256_mask_storeu_pd(&{dst_data}, {n}, {src_data});", """
#include <immintrin.h>
// By parts: there are processors that take longer for a masked store than for ten others.
static inline __attribute__((always_inline)) void mm256_mask_storeu_pd(double *dst, int_fast32_t n, __m256d src) {
    if (n >= 4) {
        _mm256_storeu_pd(dst, src);
        return;
    }
    __m128d part = _mm256_castpd256_pd128(src);
    if (n & 2) {
        _mm_storeu_pd(dst, part);
        part = _mm256_extractf128_pd(src, 1);
        dst += 2;
    }
    if (n & 1) {
        _mm_store_sd(dst, part);
    }
}
""", cflags="-mavx2")
def mm256_mask_storeu_pd(n: size, dst: [f64][n] @ DRAM, src: [f64][4] @ AVX2):
    assert n <= 4
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_set1_pd(*{src}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), "
    "_mm256_setr_epi64x(0, 1, 2, 3))));"
)
def mm256_mask_set1_pd(n: size, dst: [f64][4] @ AVX2, src: f64 @ DRAM):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = src


# In the other lanes 0 * -0, which is -0, is added: that changes nothing, raises no flag, and what a loop keeps is chosen once.
@instr(
    "{dst_data} = _mm256_fmadd_pd(_mm256_and_pd(_mm256_set1_pd(*{a}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "_mm256_blendv_pd(_mm256_set1_pd(-0.0), {b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_mask_fmadd_set1_pd(n: size, dst: [f64][4] @ AVX2, a: f64 @ DRAM, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a * b[i]


@instr(
    "{dst_data} = _mm256_fmadd_pd(_mm256_and_pd({a_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "_mm256_blendv_pd(_mm256_set1_pd(-0.0), {b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_mask_fmadd_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm256_andnot_pd(_mm256_set1_pd(-0.0), {a_data});")
def mm256_abs_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm256_blendv_pd(_mm256_max_pd({a_data}, {b_data}), {a_data}, _mm256_cmp_pd({b_data}, "
    "{b_data}, _CMP_UNORD_Q));"
)
def mm256_max_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_pd(_mm256_min_pd({a_data}, {b_data}), {a_data}, _mm256_cmp_pd({b_data}, "
    "{b_data}, _CMP_UNORD_Q));"
)
def mm256_min_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = fminf(a[i], b[i])


@instr("{dst_data} = _mm256_sqrt_pd({a_data});")
def mm256_sqrt_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = sqrt(a[i])


# Neighbours are added, and then the halves.
@proc
def mm256_sum_pd(dst: f64, src: [f64][4]):
    pair: f64[2]
    for i in seq(0, 2):
        pair[i] = src[2 * i] + src[2 * i + 1]
    dst += pair[0] + pair[1]


@instr(
    "*{dst} += _mm_cvtsd_f64(_mm_add_sd(_mm256_castpd256_pd128(_mm256_hadd_pd({src_data}, {src_data})), "
    "_mm256_extractf128_pd(_mm256_hadd_pd({src_data}, {src_data}), 1)));",
    rounds=mm256_sum_pd,
)
def mm256_reduce_add_pd(dst: f64 @ DRAM, src: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst += src[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, {src_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_mov_pd(n: size, dst: [f64][4] @ AVX2, src: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_setzero_pd(), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_setzero_pd(n: size, dst: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = 0.0


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_add_pd({a_data}, {b_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_add_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] + b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_sub_pd({a_data}, {b_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_sub_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] - b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_mul_pd({a_data}, {b_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_mul_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] * b[i]


@instr(
    # A lane that is left out divides by 1: 0 / 0 would raise an exception.
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_div_pd({a_data}, "
    "_mm256_blendv_pd(_mm256_set1_pd(1.0), {b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))))), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_div_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = a[i] / b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_add_pd({dst_data}, {a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_accumulate_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a[i]


@instr(
    "{dst_data} = _mm256_fnmadd_pd(_mm256_and_pd({a_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "_mm256_and_pd({b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_mask_fnmadd_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_sub_pd(_mm256_set1_pd(-0.0), {a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_neg_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = -a[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_andnot_pd(_mm256_set1_pd(-0.0), {a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_abs_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_blendv_pd(_mm256_max_pd({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_pd({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_max_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_blendv_pd(_mm256_min_pd({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_pd({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_min_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = fminf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_sqrt_pd({a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_sqrt_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] = sqrt(a[i])


# The lanes below a bound, which may be larger than all of them.


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_maskload_pd(&{src_data}, "
    "_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3))), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_loadu_pd(n: size, dst: [f64][4] @ AVX2, src: [f64][n] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        if i < n:
            dst[i] = src[i]


@instr(
    "_mm256_maskstore_pd(&{dst_data}, _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), "
    "_mm256_setr_epi64x(0, 1, 2, 3)), {src_data});"
)
def mm256_below_storeu_pd(n: size, dst: [f64][n] @ DRAM, src: [f64][4] @ AVX2):
    assert stride(dst, 0) == 1
    for i in seq(0, 4):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, {src_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_mov_pd(n: size, dst: [f64][4] @ AVX2, src: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_setzero_pd(), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_setzero_pd(n: size, dst: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = 0.0


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_set1_pd(*{src}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_set1_pd(n: size, dst: [f64][4] @ AVX2, src: f64 @ DRAM):
    for i in seq(0, 4):
        if i < n:
            dst[i] = src


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_add_pd({a_data}, {b_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_add_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = a[i] + b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_sub_pd({a_data}, {b_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_sub_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = a[i] - b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_mul_pd({a_data}, {b_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_mul_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = a[i] * b[i]


@instr(
    # A lane that is left out divides by 1: 0 / 0 would raise an exception.
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_div_pd({a_data}, "
    "_mm256_blendv_pd(_mm256_set1_pd(1.0), {b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))))), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_div_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = a[i] / b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_add_pd({dst_data}, {a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_accumulate_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] += a[i]


@instr(
    "{dst_data} = _mm256_fmadd_pd(_mm256_and_pd({a_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "_mm256_blendv_pd(_mm256_set1_pd(-0.0), {b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_below_fmadd_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] += a[i] * b[i]


@instr(
    "{dst_data} = _mm256_fnmadd_pd(_mm256_and_pd({a_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "_mm256_and_pd({b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, 1, 2, 3)))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_below_fnmadd_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] += -(a[i] * b[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_sub_pd(_mm256_set1_pd(-0.0), {a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_neg_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = -a[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_andnot_pd(_mm256_set1_pd(-0.0), {a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_abs_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = fabsf(a[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_blendv_pd(_mm256_max_pd({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_pd({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_max_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = fmaxf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_blendv_pd(_mm256_min_pd({a_data}, {b_data}), "
    "{a_data}, _mm256_cmp_pd({b_data}, {b_data}, _CMP_UNORD_Q)), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_min_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = fminf(a[i], b[i])


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_sqrt_pd({a_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_below_sqrt_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2):
    for i in seq(0, 4):
        if i < n:
            dst[i] = sqrt(a[i])


# Floats from memory become doubles.


@instr("{dst_data} = _mm256_cvtps_pd(_mm_loadu_ps(&{src_data}));")
def mm256_cvt_loadu_ps_pd(dst: [f64][4] @ AVX2, src: [f32][4] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_cvtps_pd(_mm_maskload_ps(&{src_data}, "
    "_mm_cmpgt_epi32(_mm_set1_epi32((int)({n})), _mm_setr_epi32(0, 1, 2, 3)))), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), _mm256_setr_epi64x(0, "
    "1, 2, 3))));"
)
def mm256_mask_cvt_loadu_ps_pd(n: size, dst: [f64][4] @ AVX2, src: [f32][n] @ DRAM):
    assert n <= 4
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]
