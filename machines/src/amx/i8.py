# Products of bytes. Of the right operand, a row holds four rows of the matrix, the four cells of a column side by side:
# `b[l, 4 * j + q]` is the cell of row `4 * l + q` and column `j`.


@instr("amx_load((int)(uint64_t)&{dst_data}, &{src_data}, {src}.strides[0], {n}, 4 * {k});", MODEL)
def amx_tileload_a_i8(n: size, k: size, dst: [i8][n, 4 * k] @ AMX_A, src: [i8][n, 4 * k] @ DRAM):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert k <= AmxTiles.depth
    assert stride(src, 1) == 1
    for i in seq(0, n):
        for j in seq(0, 4 * k):
            dst[i, j] = src[i, j]


@instr("amx_load((int)(uint64_t)&{dst_data}, &{src_data}, {src}.strides[0], {k}, 4 * {m});", MODEL)
def amx_tileload_b_i8(k: size, m: size, dst: [i8][k, 4 * m] @ AMX_B, src: [i8][k, 4 * m] @ DRAM):
    assert AmxTiles.palette == 1
    assert k <= AmxTiles.depth
    assert m <= AmxTiles.cols
    assert stride(src, 1) == 1
    for i in seq(0, k):
        for j in seq(0, 4 * m):
            dst[i, j] = src[i, j]


@instr("amx_load((int)(uint64_t)&{dst_data}, &{src_data}, 4 * {src}.strides[0], {n}, 4 * {m});", MODEL)
def amx_tileload_c_i32(n: size, m: size, dst: [i32][n, m] @ AMX_C, src: [i32][n, m] @ DRAM):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    assert stride(src, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("amx_store(&{dst_data}, (int)(uint64_t)&{src_data}, 4 * {dst}.strides[0], {n}, 4 * {m});", MODEL)
def amx_tilestore_i32(n: size, m: size, dst: [i32][n, m] @ DRAM, src: [i32][n, m] @ AMX_C):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    assert stride(dst, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("amx_zero((int)(uint64_t)&{dst_data}, {n}, 4 * {m});", MODEL)
def amx_tilezero_i32(n: size, m: size, dst: [i32][n, m] @ AMX_C):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = 0.0


@instr(
    "amx_product((int)(uint64_t)&{c_data}, (int)(uint64_t)&{a_data}, (int)(uint64_t)&{b_data}, {n}, {m}, {k}, AMX_BYTES);",
    MODEL,
)
def amx_tdpbssd(
    n: size,
    m: size,
    k: size,
    c: [i32][n, m] @ AMX_C,
    a: [i8][n, 4 * k] @ AMX_A,
    b: [i8][k, 4 * m] @ AMX_B,
):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    assert k <= AmxTiles.depth
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                for q in seq(0, 4):
                    x: i32
                    y: i32
                    x = a[i, 4 * l + q]
                    y = b[l, 4 * j + q]
                    c[i, j] += x * y
