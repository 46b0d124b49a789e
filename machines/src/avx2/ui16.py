# AVX2: 16 unsigned integers of 16 bits in a register; sums wrap around.


@instr("{dst_data} = _mm256_loadu_si256((const __m256i *)&{src_data});")
def mm256_loadu_epi16(dst: [ui16][16] @ AVX2, src: [ui16][16] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("_mm256_storeu_si256((__m256i *)&{dst_data}, {src_data});")
def mm256_storeu_epi16(dst: [ui16][16] @ DRAM, src: [ui16][16] @ AVX2):
    assert stride(dst, 0) == 1
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def mm256_mov_epi16(dst: [ui16][16] @ AVX2, src: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = src[i]


@instr("{dst_data} = _mm256_setzero_si256();")
def mm256_setzero_epi16(dst: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = 0.0


@instr("{dst_data} = _mm256_set1_epi16((short)*{src});")
def mm256_set1_epi16(dst: [ui16][16] @ AVX2, src: ui16 @ DRAM):
    for i in seq(0, 16):
        dst[i] = src


@instr("{dst_data} = _mm256_add_epi16({a_data}, {b_data});")
def mm256_add_epi16(dst: [ui16][16] @ AVX2, a: [ui16][16] @ AVX2, b: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm256_sub_epi16({a_data}, {b_data});")
def mm256_sub_epi16(dst: [ui16][16] @ AVX2, a: [ui16][16] @ AVX2, b: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm256_mullo_epi16({a_data}, {b_data});")
def mm256_mullo_epi16(dst: [ui16][16] @ AVX2, a: [ui16][16] @ AVX2, b: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm256_add_epi16({dst_data}, {a_data});")
def mm256_accumulate_epi16(dst: [ui16][16] @ AVX2, a: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] += a[i]


@instr("{dst_data} = _mm256_max_epu16({a_data}, {b_data});")
def mm256_max_epu16(dst: [ui16][16] @ AVX2, a: [ui16][16] @ AVX2, b: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = _mm256_min_epu16({a_data}, {b_data});")
def mm256_min_epu16(dst: [ui16][16] @ AVX2, a: [ui16][16] @ AVX2, b: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = fminf(a[i], b[i])


# x / 3 = (x * 43691) >> 17 for all x of 16 bits.
@instr("{dst_data} = _mm256_srli_epi16(_mm256_mulhi_epu16({src_data}, _mm256_set1_epi16((short)43691)), 1);")
def mm256_third_epu16(dst: [ui16][16] @ AVX2, src: [ui16][16] @ AVX2):
    for i in seq(0, 16):
        dst[i] = src[i] / 3.0
