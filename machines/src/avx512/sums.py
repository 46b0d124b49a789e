# Horizontal sums of as many registers as a register has lanes, each into the lane of its number: the registers are
# transposed on the way, and each is added up in the order of its own sum.


@proc
def mm512_sum_each_ps(
    dst: [f32][16],
    r0: [f32][16], r1: [f32][16], r2: [f32][16], r3: [f32][16],
    r4: [f32][16], r5: [f32][16], r6: [f32][16], r7: [f32][16],
    r8: [f32][16], r9: [f32][16], r10: [f32][16], r11: [f32][16],
    r12: [f32][16], r13: [f32][16], r14: [f32][16], r15: [f32][16],
):
    mm512_sum_ps(dst[0], r0[0:16])
    mm512_sum_ps(dst[1], r1[0:16])
    mm512_sum_ps(dst[2], r2[0:16])
    mm512_sum_ps(dst[3], r3[0:16])
    mm512_sum_ps(dst[4], r4[0:16])
    mm512_sum_ps(dst[5], r5[0:16])
    mm512_sum_ps(dst[6], r6[0:16])
    mm512_sum_ps(dst[7], r7[0:16])
    mm512_sum_ps(dst[8], r8[0:16])
    mm512_sum_ps(dst[9], r9[0:16])
    mm512_sum_ps(dst[10], r10[0:16])
    mm512_sum_ps(dst[11], r11[0:16])
    mm512_sum_ps(dst[12], r12[0:16])
    mm512_sum_ps(dst[13], r13[0:16])
    mm512_sum_ps(dst[14], r14[0:16])
    mm512_sum_ps(dst[15], r15[0:16])


@instr(
    "{dst_data} = _mm512_add_ps({dst_data}, mm512_sum_each_ps("
    "{r0_data}, {r1_data}, {r2_data}, {r3_data}, "
    "{r4_data}, {r5_data}, {r6_data}, {r7_data}, "
    "{r8_data}, {r9_data}, {r10_data}, {r11_data}, "
    "{r12_data}, {r13_data}, {r14_data}, {r15_data}));",
    """
#include <immintrin.h>
static inline __attribute__((always_inline)) __m512 mm512_sum_each_ps(
    __m512 r0, __m512 r1, __m512 r2, __m512 r3, __m512 r4, __m512 r5, __m512 r6, __m512 r7,
    __m512 r8, __m512 r9, __m512 r10, __m512 r11, __m512 r12, __m512 r13, __m512 r14, __m512 r15) {
    __m512 r[16] = { r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15 };
    #pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        __m512 a = _mm512_add_ps(
            _mm512_shuffle_f32x4(r[i], r[i + 4], 0x44), _mm512_shuffle_f32x4(r[i], r[i + 4], 0xee));
        __m512 b = _mm512_add_ps(
            _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x44), _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xee));
        r[i] = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
    }
    #pragma GCC unroll 2
    for (int i = 0; i < 4; i += 2) {
        __m512d a = _mm512_castps_pd(r[i]), b = _mm512_castps_pd(r[i + 1]);
        r[i] = _mm512_add_ps(
            _mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
    }
    return _mm512_add_ps(_mm512_shuffle_ps(r[0], r[2], 0x88), _mm512_shuffle_ps(r[0], r[2], 0xdd));
}
""",
    cflags="-mavx512f",
    rounds=mm512_sum_each_ps,
)
def mm512_add_sums_ps(
    dst: [f32][16] @ AVX512,
    r0: [f32][16] @ AVX512, r1: [f32][16] @ AVX512,
    r2: [f32][16] @ AVX512, r3: [f32][16] @ AVX512,
    r4: [f32][16] @ AVX512, r5: [f32][16] @ AVX512,
    r6: [f32][16] @ AVX512, r7: [f32][16] @ AVX512,
    r8: [f32][16] @ AVX512, r9: [f32][16] @ AVX512,
    r10: [f32][16] @ AVX512, r11: [f32][16] @ AVX512,
    r12: [f32][16] @ AVX512, r13: [f32][16] @ AVX512,
    r14: [f32][16] @ AVX512, r15: [f32][16] @ AVX512,
):
    for i in seq(0, 16):
        dst[0] += r0[i]
    for i in seq(0, 16):
        dst[1] += r1[i]
    for i in seq(0, 16):
        dst[2] += r2[i]
    for i in seq(0, 16):
        dst[3] += r3[i]
    for i in seq(0, 16):
        dst[4] += r4[i]
    for i in seq(0, 16):
        dst[5] += r5[i]
    for i in seq(0, 16):
        dst[6] += r6[i]
    for i in seq(0, 16):
        dst[7] += r7[i]
    for i in seq(0, 16):
        dst[8] += r8[i]
    for i in seq(0, 16):
        dst[9] += r9[i]
    for i in seq(0, 16):
        dst[10] += r10[i]
    for i in seq(0, 16):
        dst[11] += r11[i]
    for i in seq(0, 16):
        dst[12] += r12[i]
    for i in seq(0, 16):
        dst[13] += r13[i]
    for i in seq(0, 16):
        dst[14] += r14[i]
    for i in seq(0, 16):
        dst[15] += r15[i]


@proc
def mm512_sum_each_pd(
    dst: [f64][8],
    r0: [f64][8], r1: [f64][8], r2: [f64][8], r3: [f64][8],
    r4: [f64][8], r5: [f64][8], r6: [f64][8], r7: [f64][8],
):
    mm512_sum_pd(dst[0], r0[0:8])
    mm512_sum_pd(dst[1], r1[0:8])
    mm512_sum_pd(dst[2], r2[0:8])
    mm512_sum_pd(dst[3], r3[0:8])
    mm512_sum_pd(dst[4], r4[0:8])
    mm512_sum_pd(dst[5], r5[0:8])
    mm512_sum_pd(dst[6], r6[0:8])
    mm512_sum_pd(dst[7], r7[0:8])


@instr(
    "{dst_data} = _mm512_add_pd({dst_data}, mm512_sum_each_pd("
    "{r0_data}, {r1_data}, {r2_data}, {r3_data}, "
    "{r4_data}, {r5_data}, {r6_data}, {r7_data}));",
    """
#include <immintrin.h>
static inline __attribute__((always_inline)) __m512d mm512_sum_each_pd(
    __m512d r0, __m512d r1, __m512d r2, __m512d r3,
    __m512d r4, __m512d r5, __m512d r6, __m512d r7) {
    __m512d r[8] = { r0, r1, r2, r3, r4, r5, r6, r7 };
    #pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m512d a = _mm512_add_pd(
            _mm512_shuffle_f64x2(r[i], r[i + 2], 0x44), _mm512_shuffle_f64x2(r[i], r[i + 2], 0xee));
        __m512d b = _mm512_add_pd(
            _mm512_shuffle_f64x2(r[i + 4], r[i + 6], 0x44), _mm512_shuffle_f64x2(r[i + 4], r[i + 6], 0xee));
        r[i] = _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
    }
    return _mm512_add_pd(_mm512_unpacklo_pd(r[0], r[1]), _mm512_unpackhi_pd(r[0], r[1]));
}
""",
    cflags="-mavx512f",
    rounds=mm512_sum_each_pd,
)
def mm512_add_sums_pd(
    dst: [f64][8] @ AVX512,
    r0: [f64][8] @ AVX512, r1: [f64][8] @ AVX512,
    r2: [f64][8] @ AVX512, r3: [f64][8] @ AVX512,
    r4: [f64][8] @ AVX512, r5: [f64][8] @ AVX512,
    r6: [f64][8] @ AVX512, r7: [f64][8] @ AVX512,
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
