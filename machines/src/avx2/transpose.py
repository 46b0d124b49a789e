# Tiles of a matrix in memory, transposed by way of registers.


@instr("mm256_transpose_ps(&{dst_data}, {dst}.strides[0], &{src_data}, {src}.strides[0]);", """
#include <immintrin.h>
static inline void mm256_transpose_ps(
    float *dst, int_fast32_t dst_stride, const float *src, int_fast32_t src_stride) {
    __m256 r[8], t[8];
    #pragma GCC unroll 8
    for (int i = 0; i < 8; i++) r[i] = _mm256_loadu_ps(src + i * src_stride);
    #pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    #pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
        r[i] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(t[i]), _mm256_castps_pd(t[i + 2])));
        r[i + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(t[i]), _mm256_castps_pd(t[i + 2])));
        r[i + 2] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(t[i + 1]), _mm256_castps_pd(t[i + 3])));
        r[i + 3] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(t[i + 1]), _mm256_castps_pd(t[i + 3])));
    }
    #pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        t[i] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x20);
        r[i + 4] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x31);
        r[i] = t[i];
    }
    #pragma GCC unroll 8
    for (int i = 0; i < 8; i++) _mm256_storeu_ps(dst + i * dst_stride, r[i]);
}
""", cflags="-mavx2")
def mm256_transpose_ps(dst: [f32][8, 8] @ DRAM, src: [f32][8, 8] @ DRAM):
    assert stride(dst, 1) == 1
    assert stride(src, 1) == 1
    for i in seq(0, 8):
        for j in seq(0, 8):
            dst[j, i] = src[i, j]


@instr("mm256_transpose_pd(&{dst_data}, {dst}.strides[0], &{src_data}, {src}.strides[0]);", """
#include <immintrin.h>
static inline void mm256_transpose_pd(
    double *dst, int_fast32_t dst_stride, const double *src, int_fast32_t src_stride) {
    __m256d r[4], t[4];
    #pragma GCC unroll 4
    for (int i = 0; i < 4; i++) r[i] = _mm256_loadu_pd(src + i * src_stride);
    #pragma GCC unroll 2
    for (int i = 0; i < 4; i += 2) {
        t[i] = _mm256_unpacklo_pd(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_pd(r[i], r[i + 1]);
    }
    #pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        r[i] = _mm256_permute2f128_pd(t[i], t[i + 2], 0x20);
        r[i + 2] = _mm256_permute2f128_pd(t[i], t[i + 2], 0x31);
    }
    #pragma GCC unroll 4
    for (int i = 0; i < 4; i++) _mm256_storeu_pd(dst + i * dst_stride, r[i]);
}
""", cflags="-mavx2")
def mm256_transpose_pd(dst: [f64][4, 4] @ DRAM, src: [f64][4, 4] @ DRAM):
    assert stride(dst, 1) == 1
    assert stride(src, 1) == 1
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[j, i] = src[i, j]
