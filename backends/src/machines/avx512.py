# AVX-512F: sixteen floats or eight doubles in a register; the masked forms touch the first n only.


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


@instr("{dst_data} = _mm512_mul_ps({a_data}, {b_data});")
def mm512_mul_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm512_fmadd_ps({a_data}, {b_data}, {dst_data});")
def mm512_fmadd_ps(dst: [f32][16] @ AVX512, a: [f32][16] @ AVX512, b: [f32][16] @ AVX512):
    for i in seq(0, 16):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm512_maskz_loadu_ps((__mmask16)((1u << {n}) - 1u), &{src_data});")
def mm512_maskz_loadu_ps(n: size, dst: [f32][16] @ AVX512, src: [f32][n] @ DRAM):
    assert n <= 16
    assert stride(src, 0) == 1
    for i in seq(0, 16):
        if i < n:
            dst[i] = src[i]
        else:
            dst[i] = 0.0


@instr("_mm512_mask_storeu_ps(&{dst_data}, (__mmask16)((1u << {n}) - 1u), {src_data});")
def mm512_mask_storeu_ps(n: size, dst: [f32][n] @ DRAM, src: [f32][16] @ AVX512):
    assert n <= 16
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


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


@instr("{dst_data} = _mm512_mul_pd({a_data}, {b_data});")
def mm512_mul_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm512_fmadd_pd({a_data}, {b_data}, {dst_data});")
def mm512_fmadd_pd(dst: [f64][8] @ AVX512, a: [f64][8] @ AVX512, b: [f64][8] @ AVX512):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]


@instr("{dst_data} = _mm512_maskz_loadu_pd((__mmask8)((1u << {n}) - 1u), &{src_data});")
def mm512_maskz_loadu_pd(n: size, dst: [f64][8] @ AVX512, src: [f64][n] @ DRAM):
    assert n <= 8
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        if i < n:
            dst[i] = src[i]
        else:
            dst[i] = 0.0


@instr("_mm512_mask_storeu_pd(&{dst_data}, (__mmask8)((1u << {n}) - 1u), {src_data});")
def mm512_mask_storeu_pd(n: size, dst: [f64][n] @ DRAM, src: [f64][8] @ AVX512):
    assert n <= 8
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]
