# The last lanes of a register: those from a bound on.


@instr(
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_maskload_ps(&{src_data}, "
    "_mm256_cmpgt_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32((int)({n})))), _mm256_castsi256_ps("
    "_mm256_cmpgt_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32((int)({n})))));"
)
def mm256_from_loadu_ps(n: index, dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    assert 0 <= n
    assert n <= 8
    assert stride(src, 0) == 1
    for i in seq(n, 8):
        dst[i] = src[i]


@instr("mm256_from_storeu_ps(&{dst_data}, {n}, {src_data});", """
#include <immintrin.h>
// By parts, as those of the first lanes.
static inline __attribute__((always_inline)) void mm256_from_storeu_ps(float *dst, int_fast32_t n, __m256 src) {
    if (n <= 0) {
        _mm256_storeu_ps(dst, src);
        return;
    }
    __m128 part = _mm256_extractf128_ps(src, 1);
    if (n <= 4) {
        _mm_storeu_ps(dst + 4, part);
        part = _mm256_castps256_ps128(src);
    } else {
        dst += 4;
        n -= 4;
    }
    if (n <= 2) {
        _mm_storeh_pi((__m64 *)(dst + 2), part);
    }
    if (n == 1) {
        _mm_store_ss(dst + 1, _mm_movehdup_ps(part));
    }
    if (n == 3) {
        _mm_store_ss(dst + 3, _mm_shuffle_ps(part, part, 0xff));
    }
}
""", cflags="-mavx2")
def mm256_from_storeu_ps(n: index, dst: [f32][8] @ DRAM, src: [f32][8] @ AVX2):
    assert 0 <= n
    assert n <= 8
    assert stride(dst, 0) == 1
    for i in seq(n, 8):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_fmadd_ps(_mm256_and_ps({a_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32((int)({n}))))), "
    "_mm256_blendv_ps(_mm256_set1_ps(-0.0f), {b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32((int)({n}))))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_from_fmadd_ps(n: index, dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    assert 0 <= n
    assert n <= 8
    for i in seq(n, 8):
        dst[i] += a[i] * b[i]


# In the other lanes 0 * -0, which is -0, is added: that changes nothing, raises no flag, and what a loop keeps is chosen once.
@instr(
    "{dst_data} = _mm256_fmadd_ps(_mm256_and_ps(_mm256_set1_ps(*{a}), "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32((int)({n}))))), "
    "_mm256_blendv_ps(_mm256_set1_ps(-0.0f), {b_data}, "
    "_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32((int)({n}))))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_from_fmadd_set1_ps(n: index, dst: [f32][8] @ AVX2, a: f32 @ DRAM, b: [f32][8] @ AVX2):
    assert 0 <= n
    assert n <= 8
    for i in seq(n, 8):
        dst[i] += a * b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_maskload_pd(&{src_data}, "
    "_mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), _mm256_set1_epi64x((long long)({n})))), _mm256_castsi256_pd("
    "_mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), _mm256_set1_epi64x((long long)({n})))));"
)
def mm256_from_loadu_pd(n: index, dst: [f64][4] @ AVX2, src: [f64][4] @ DRAM):
    assert 0 <= n
    assert n <= 4
    assert stride(src, 0) == 1
    for i in seq(n, 4):
        dst[i] = src[i]


@instr("mm256_from_storeu_pd(&{dst_data}, {n}, {src_data});", """
#include <immintrin.h>
// By parts, as those of the first lanes.
static inline __attribute__((always_inline)) void mm256_from_storeu_pd(double *dst, int_fast32_t n, __m256d src) {
    if (n <= 0) {
        _mm256_storeu_pd(dst, src);
        return;
    }
    __m128d part = _mm256_extractf128_pd(src, 1);
    if (n <= 2) {
        _mm_storeu_pd(dst + 2, part);
        part = _mm256_castpd256_pd128(src);
    } else {
        dst += 2;
        n -= 2;
    }
    if (n == 1) {
        _mm_storeh_pd(dst + 1, part);
    }
}
""", cflags="-mavx2")
def mm256_from_storeu_pd(n: index, dst: [f64][4] @ DRAM, src: [f64][4] @ AVX2):
    assert 0 <= n
    assert n <= 4
    assert stride(dst, 0) == 1
    for i in seq(n, 4):
        dst[i] = src[i]


@instr(
    "{dst_data} = _mm256_fmadd_pd(_mm256_and_pd({a_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), _mm256_set1_epi64x((long long)({n}))))), "
    "_mm256_blendv_pd(_mm256_set1_pd(-0.0), {b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), _mm256_set1_epi64x((long long)({n}))))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_from_fmadd_pd(n: index, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert 0 <= n
    assert n <= 4
    for i in seq(n, 4):
        dst[i] += a[i] * b[i]


# In the other lanes 0 * -0, which is -0, is added: that changes nothing, raises no flag, and what a loop keeps is chosen once.
@instr(
    "{dst_data} = _mm256_fmadd_pd(_mm256_and_pd(_mm256_set1_pd(*{a}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), _mm256_set1_epi64x((long long)({n}))))), "
    "_mm256_blendv_pd(_mm256_set1_pd(-0.0), {b_data}, "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setr_epi64x(1, 2, 3, 4), _mm256_set1_epi64x((long long)({n}))))), "
    "{dst_data});",
    rounds="fused",
)
def mm256_from_fmadd_set1_pd(n: index, dst: [f64][4] @ AVX2, a: f64 @ DRAM, b: [f64][4] @ AVX2):
    assert 0 <= n
    assert n <= 4
    for i in seq(n, 4):
        dst[i] += a * b[i]
