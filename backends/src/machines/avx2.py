# AVX2 with FMA: eight floats or four doubles in a register.


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


@instr("{dst_data} = _mm256_mul_ps({a_data}, {b_data});")
def mm256_mul_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm256_fmadd_ps({a_data}, {b_data}, {dst_data});")
def mm256_fmadd_ps(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]


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


@instr("{dst_data} = _mm256_mul_pd({a_data}, {b_data});")
def mm256_mul_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm256_fmadd_pd({a_data}, {b_data}, {dst_data});")
def mm256_fmadd_pd(dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    for i in seq(0, 4):
        dst[i] += a[i] * b[i]
