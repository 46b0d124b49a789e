# Products of bf16, added up as f32. Of the right operand, a row holds two rows of the matrix, the two cells of a column side
# by side: `b[l, 2 * j + q]` is the cell of row `2 * l + q` and column `j`.


@instr("amx_load((int)(uint64_t)&{dst_data}, &{src_data}, 2 * {src}.strides[0], {n}, 4 * {k});", MODEL)
def amx_tileload_a_bf16(n: size, k: size, dst: [bf16][n, 2 * k] @ AMX_A, src: [bf16][n, 2 * k] @ DRAM):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert k <= AmxTiles.depth
    assert stride(src, 1) == 1
    for i in seq(0, n):
        for j in seq(0, 2 * k):
            dst[i, j] = src[i, j]


@instr("amx_load((int)(uint64_t)&{dst_data}, &{src_data}, 2 * {src}.strides[0], {k}, 4 * {m});", MODEL)
def amx_tileload_b_bf16(k: size, m: size, dst: [bf16][k, 2 * m] @ AMX_B, src: [bf16][k, 2 * m] @ DRAM):
    assert AmxTiles.palette == 1
    assert k <= AmxTiles.depth
    assert m <= AmxTiles.cols
    assert stride(src, 1) == 1
    for i in seq(0, k):
        for j in seq(0, 2 * m):
            dst[i, j] = src[i, j]


@instr("amx_load((int)(uint64_t)&{dst_data}, &{src_data}, 4 * {src}.strides[0], {n}, 4 * {m});", MODEL)
def amx_tileload_c_f32(n: size, m: size, dst: [f32][n, m] @ AMX_C, src: [f32][n, m] @ DRAM):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    assert stride(src, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("amx_store(&{dst_data}, (int)(uint64_t)&{src_data}, 4 * {dst}.strides[0], {n}, 4 * {m});", MODEL)
def amx_tilestore_f32(n: size, m: size, dst: [f32][n, m] @ DRAM, src: [f32][n, m] @ AMX_C):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    assert stride(dst, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("amx_zero((int)(uint64_t)&{dst_data}, {n}, 4 * {m});", MODEL)
def amx_tilezero_f32(n: size, m: size, dst: [f32][n, m] @ AMX_C):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = 0.0


# Sums of the products of even cells and of odd ones, each rounded once with its product; their sum is added to the cell.
# Denormal numbers are zeros. The tile is deeper than the operands where these are a part of it: zeros are multiplied then,
# which makes 0 of -0.
@proc
def amx_sum_bf16(n: size, m: size, k: size, c: [f32][n, m], a: [bf16][n, 2 * k], b: [bf16][k, 2 * m]):
    for i in seq(0, n):
        for j in seq(0, m):
            even: f32
            odd: f32
            even = 0.0
            odd = 0.0
            for l in seq(0, k):
                x: f32
                y: f32
                x = a[i, 2 * l]
                y = b[l, 2 * j]
                even = fma_ftz(x, y, even)
                x = a[i, 2 * l + 1]
                y = b[l, 2 * j + 1]
                odd = fma_ftz(x, y, odd)
            if k < AmxTiles.depth:
                even = fma_ftz(0.0, 0.0, even)
                odd = fma_ftz(0.0, 0.0, odd)
            even = fma_ftz(1.0, even, odd)
            c[i, j] = fma_ftz(1.0, c[i, j], even)


@instr(
    "amx_product((int)(uint64_t)&{c_data}, (int)(uint64_t)&{a_data}, (int)(uint64_t)&{b_data}, {n}, {m}, {k}, AMX_HALVES);",
    MODEL,
    rounds=amx_sum_bf16,
)
def amx_tdpbf16ps(
    n: size,
    m: size,
    k: size,
    c: [f32][n, m] @ AMX_C,
    a: [bf16][n, 2 * k] @ AMX_A,
    b: [bf16][k, 2 * m] @ AMX_B,
):
    assert AmxTiles.palette == 1
    assert n <= AmxTiles.rows
    assert m <= AmxTiles.cols
    assert k <= AmxTiles.depth
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                for q in seq(0, 2):
                    x: f32
                    y: f32
                    x = a[i, 2 * l + q]
                    y = b[l, 2 * j + q]
                    c[i, j] += x * y
