# AVX-512BW: 32 unsigned integers of 16 bits in a register; sums wrap around.


@instr("{dst_data} = _mm512_loadu_si512(&{src_data});")
def mm512_loadu_epi16(dst: [ui16][32] @ AVX512, src: [ui16][32] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 32):
        dst[i] = src[i]


@instr("_mm512_storeu_si512(&{dst_data}, {src_data});")
def mm512_storeu_epi16(dst: [ui16][32] @ DRAM, src: [ui16][32] @ AVX512):
    assert stride(dst, 0) == 1
    for i in seq(0, 32):
        dst[i] = src[i]


@instr("{dst_data} = {src_data};")
def mm512_mov_epi16(dst: [ui16][32] @ AVX512, src: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = src[i]


@instr("{dst_data} = _mm512_setzero_si512();")
def mm512_setzero_epi16(dst: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = 0.0


@instr("{dst_data} = _mm512_set1_epi16((short)*{src});")
def mm512_set1_epi16(dst: [ui16][32] @ AVX512, src: ui16 @ DRAM):
    for i in seq(0, 32):
        dst[i] = src


@instr("{dst_data} = _mm512_add_epi16({a_data}, {b_data});", cflags="-mavx512bw")
def mm512_add_epi16(dst: [ui16][32] @ AVX512, a: [ui16][32] @ AVX512, b: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = a[i] + b[i]


@instr("{dst_data} = _mm512_sub_epi16({a_data}, {b_data});", cflags="-mavx512bw")
def mm512_sub_epi16(dst: [ui16][32] @ AVX512, a: [ui16][32] @ AVX512, b: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = a[i] - b[i]


@instr("{dst_data} = _mm512_mullo_epi16({a_data}, {b_data});", cflags="-mavx512bw")
def mm512_mullo_epi16(dst: [ui16][32] @ AVX512, a: [ui16][32] @ AVX512, b: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = a[i] * b[i]


@instr("{dst_data} = _mm512_add_epi16({dst_data}, {a_data});", cflags="-mavx512bw")
def mm512_accumulate_epi16(dst: [ui16][32] @ AVX512, a: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] += a[i]


@instr("{dst_data} = _mm512_max_epu16({a_data}, {b_data});", cflags="-mavx512bw")
def mm512_max_epu16(dst: [ui16][32] @ AVX512, a: [ui16][32] @ AVX512, b: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = fmaxf(a[i], b[i])


@instr("{dst_data} = _mm512_min_epu16({a_data}, {b_data});", cflags="-mavx512bw")
def mm512_min_epu16(dst: [ui16][32] @ AVX512, a: [ui16][32] @ AVX512, b: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = fminf(a[i], b[i])


# x / 3 = (x * 43691) >> 17 for all x of 16 bits.
@instr("{dst_data} = _mm512_srli_epi16(_mm512_mulhi_epu16({src_data}, _mm512_set1_epi16((short)43691)), 1);", cflags="-mavx512bw")
def mm512_third_epu16(dst: [ui16][32] @ AVX512, src: [ui16][32] @ AVX512):
    for i in seq(0, 32):
        dst[i] = src[i] / 3.0
