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


@instr(
    "_mm256_maskstore_pd(&{dst_data}, _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), "
    "_mm256_setr_epi64x(0, 1, 2, 3)), {src_data});"
)
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


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_fmadd_pd(_mm256_set1_pd(*{a}), {b_data}, "
    "{dst_data}), _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), "
    "_mm256_setr_epi64x(0, 1, 2, 3))));",
    rounds="fused",
)
def mm256_mask_fmadd_set1_pd(n: size, dst: [f64][4] @ AVX2, a: f64 @ DRAM, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a * b[i]


@instr(
    "{dst_data} = _mm256_blendv_pd({dst_data}, _mm256_fmadd_pd({a_data}, {b_data}, {dst_data}), "
    "_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)({n})), "
    "_mm256_setr_epi64x(0, 1, 2, 3))));",
    rounds="fused",
)
def mm256_mask_fmadd_pd(n: size, dst: [f64][4] @ AVX2, a: [f64][4] @ AVX2, b: [f64][4] @ AVX2):
    assert n <= 4
    for i in seq(0, n):
        dst[i] += a[i] * b[i]
