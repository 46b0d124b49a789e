# Horizontal sums of as many registers as a register has lanes, each into the lane of its number: the registers are
# transposed on the way, and each is added up in the order of its own sum.


@proc
def mm256_sum_each_ps(
    dst: [f32][8],
    r0: [f32][8], r1: [f32][8], r2: [f32][8], r3: [f32][8],
    r4: [f32][8], r5: [f32][8], r6: [f32][8], r7: [f32][8],
):
    mm256_sum_ps(dst[0], r0[0:8])
    mm256_sum_ps(dst[1], r1[0:8])
    mm256_sum_ps(dst[2], r2[0:8])
    mm256_sum_ps(dst[3], r3[0:8])
    mm256_sum_ps(dst[4], r4[0:8])
    mm256_sum_ps(dst[5], r5[0:8])
    mm256_sum_ps(dst[6], r6[0:8])
    mm256_sum_ps(dst[7], r7[0:8])


@instr(
    "{dst_data} = _mm256_add_ps({dst_data}, mm256_sum_each_ps("
    "{r0_data}, {r1_data}, {r2_data}, {r3_data}, "
    "{r4_data}, {r5_data}, {r6_data}, {r7_data}));",
    """
#include <immintrin.h>
static inline __attribute__((always_inline)) __m256 mm256_sum_each_ps(
    __m256 r0, __m256 r1, __m256 r2, __m256 r3,
    __m256 r4, __m256 r5, __m256 r6, __m256 r7) {
    __m256 a = _mm256_hadd_ps(_mm256_hadd_ps(r0, r1), _mm256_hadd_ps(r2, r3));
    __m256 b = _mm256_hadd_ps(_mm256_hadd_ps(r4, r5), _mm256_hadd_ps(r6, r7));
    return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}
""",
    cflags="-mavx2",
    rounds=mm256_sum_each_ps,
)
def mm256_add_sums_ps(
    dst: [f32][8] @ AVX2,
    r0: [f32][8] @ AVX2, r1: [f32][8] @ AVX2,
    r2: [f32][8] @ AVX2, r3: [f32][8] @ AVX2,
    r4: [f32][8] @ AVX2, r5: [f32][8] @ AVX2,
    r6: [f32][8] @ AVX2, r7: [f32][8] @ AVX2,
):
    for i in seq(0, 8):
        dst[0] += r0[i]
    for i in seq(0, 8):
        dst[1] += r1[i]
    for i in seq(0, 8):
        dst[2] += r2[i]
    for i in seq(0, 8):
        dst[3] += r3[i]
    for i in seq(0, 8):
        dst[4] += r4[i]
    for i in seq(0, 8):
        dst[5] += r5[i]
    for i in seq(0, 8):
        dst[6] += r6[i]
    for i in seq(0, 8):
        dst[7] += r7[i]


@proc
def mm256_sum_each_pd(
    dst: [f64][4],
    r0: [f64][4], r1: [f64][4], r2: [f64][4], r3: [f64][4],
):
    mm256_sum_pd(dst[0], r0[0:4])
    mm256_sum_pd(dst[1], r1[0:4])
    mm256_sum_pd(dst[2], r2[0:4])
    mm256_sum_pd(dst[3], r3[0:4])


@instr(
    "{dst_data} = _mm256_add_pd({dst_data}, mm256_sum_each_pd("
    "{r0_data}, {r1_data}, {r2_data}, {r3_data}));",
    """
#include <immintrin.h>
static inline __attribute__((always_inline)) __m256d mm256_sum_each_pd(
    __m256d r0, __m256d r1, __m256d r2, __m256d r3) {
    __m256d a = _mm256_hadd_pd(r0, r1), b = _mm256_hadd_pd(r2, r3);
    return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}
""",
    cflags="-mavx2",
    rounds=mm256_sum_each_pd,
)
def mm256_add_sums_pd(
    dst: [f64][4] @ AVX2,
    r0: [f64][4] @ AVX2, r1: [f64][4] @ AVX2,
    r2: [f64][4] @ AVX2, r3: [f64][4] @ AVX2,
):
    for i in seq(0, 4):
        dst[0] += r0[i]
    for i in seq(0, 4):
        dst[1] += r1[i]
    for i in seq(0, 4):
        dst[2] += r2[i]
    for i in seq(0, 4):
        dst[3] += r3[i]
