# Tiles of a matrix in memory, transposed by way of registers.


@instr("mm512_transpose_ps(&{dst_data}, {dst}.strides[0], &{src_data}, {src}.strides[0]);", """
#include <immintrin.h>
static inline void mm512_transpose_ps(
    float *dst, int_fast32_t dst_stride, const float *src, int_fast32_t src_stride) {
    __m512 r[16], t[16];
    #pragma GCC unroll 16
    for (int i = 0; i < 16; i++) r[i] = _mm512_loadu_ps(src + i * src_stride);
    #pragma GCC unroll 8
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
    #pragma GCC unroll 4
    for (int i = 0; i < 16; i += 4) {
        r[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(t[i]), _mm512_castps_pd(t[i + 2])));
        r[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(t[i]), _mm512_castps_pd(t[i + 2])));
        r[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(t[i + 1]), _mm512_castps_pd(t[i + 3])));
        r[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(t[i + 1]), _mm512_castps_pd(t[i + 3])));
    }
    #pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
        t[i + 8] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xdd);
    }
    #pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        r[i] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0x88);
        r[i + 4] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0x88);
        r[i + 8] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0xdd);
        r[i + 12] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0xdd);
    }
    #pragma GCC unroll 16
    for (int i = 0; i < 16; i++) _mm512_storeu_ps(dst + i * dst_stride, r[i]);
}
""", cflags="-mavx512f")
def mm512_transpose_ps(dst: [f32][16, 16] @ DRAM, src: [f32][16, 16] @ DRAM):
    assert stride(dst, 1) == 1
    assert stride(src, 1) == 1
    for i in seq(0, 16):
        for j in seq(0, 16):
            dst[j, i] = src[i, j]


@instr("mm512_transpose_pd(&{dst_data}, {dst}.strides[0], &{src_data}, {src}.strides[0]);", """
#include <immintrin.h>
static inline void mm512_transpose_pd(
    double *dst, int_fast32_t dst_stride, const double *src, int_fast32_t src_stride) {
    __m512d r[8], t[8];
    #pragma GCC unroll 8
    for (int i = 0; i < 8; i++) r[i] = _mm512_loadu_pd(src + i * src_stride);
    #pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_pd(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_pd(r[i], r[i + 1]);
    }
    #pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        r[i] = _mm512_shuffle_f64x2(t[i], t[i + 2], 0x88);
        r[i + 2] = _mm512_shuffle_f64x2(t[i], t[i + 2], 0xdd);
        r[i + 4] = _mm512_shuffle_f64x2(t[i + 4], t[i + 6], 0x88);
        r[i + 6] = _mm512_shuffle_f64x2(t[i + 4], t[i + 6], 0xdd);
    }
    #pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        t[i] = _mm512_shuffle_f64x2(r[i], r[i + 4], 0x88);
        t[i + 2] = _mm512_shuffle_f64x2(r[i + 2], r[i + 6], 0x88);
        t[i + 4] = _mm512_shuffle_f64x2(r[i], r[i + 4], 0xdd);
        t[i + 6] = _mm512_shuffle_f64x2(r[i + 2], r[i + 6], 0xdd);
    }
    #pragma GCC unroll 8
    for (int i = 0; i < 8; i++) _mm512_storeu_pd(dst + i * dst_stride, t[i]);
}
""", cflags="-mavx512f")
def mm512_transpose_pd(dst: [f64][8, 8] @ DRAM, src: [f64][8, 8] @ DRAM):
    assert stride(dst, 1) == 1
    assert stride(src, 1) == 1
    for i in seq(0, 8):
        for j in seq(0, 8):
            dst[j, i] = src[i, j]
