# Gemmini as its instruction set has it: a scratchpad of bytes and an accumulator of sums, both of rows of 16, which are
# addressed by the number of a row; three units that load, one that stores, and the array. What `config_*` sets is state.
# `MODEL` is the C in model.h, which stands for the hardware. `gemmini_assume_*` tell the model what a body asserts of
# the state; for the hardware they are nothing.


class GEMM_SCRATCH(Memory):
    def global_(cls):
        return MODEL

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = ({prim_type} *)(uint64_t)gemmini_scratchpad_rows(({size} + 15) / 16);"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"gemmini_scratchpad_free((uint32_t)(uint64_t){new_name});"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"*({prim_type} *)(uint64_t)((uint32_t)(uint64_t){baseptr} + (uint32_t)({offset} / 16))"

    def read(cls, basetype, baseptr, indices, strides, srcinfo):
        raise MemGenError("the scratchpad is read by instructions only")

    def write(cls, *args):
        raise MemGenError("the scratchpad is written by instructions only")

    def reduce(cls, *args):
        raise MemGenError("the scratchpad is written by instructions only")


class GEMM_ACCUM(Memory):
    def global_(cls):
        return MODEL

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = ({prim_type} *)(uint64_t)gemmini_accumulator_rows(({size} + 15) / 16);"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"gemmini_accumulator_free((uint32_t)(uint64_t){new_name});"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"*({prim_type} *)(uint64_t)((uint32_t)(uint64_t){baseptr} + (uint32_t)({offset} / 16))"

    def read(cls, basetype, baseptr, indices, strides, srcinfo):
        raise MemGenError("the accumulator is read by instructions only")

    def write(cls, *args):
        raise MemGenError("the accumulator is written by instructions only")

    def reduce(cls, *args):
        raise MemGenError("the accumulator is written by instructions only")


# The array keeps its operand of 16 by 16 and lets the rows of the other one through.
@config(readwrite=False)
class GemminiEx:
    weight_stationary: bool


# The distance of rows in DRAM, in cells: of bytes for the first two units, of sums for the third.
@config(readwrite=False)
class GemminiLd0:
    src_stride: stride


@config(readwrite=False)
class GemminiLd1:
    src_stride: stride


@config(readwrite=False)
class GemminiLd2:
    src_stride: stride


# What is stored: sums, `wide`; or bytes, first without what is negative if `act`, then scaled, rounded and held to
# -128 … 127.
@config(readwrite=False)
class GemminiSt:
    dst_stride: stride
    scale: f32
    act: bool
    wide: bool


@instr("gemmini_extended_config_ex(WEIGHT_STATIONARY, 0, 0, 1, 0, 0);", MODEL)
def gemmini_config_ex_ws():
    GemminiEx.weight_stationary = True


@instr("gemmini_extended3_config_ld({s}, 1.0f, 0, 0);", MODEL)
def gemmini_config_ld0(s: stride):
    GemminiLd0.src_stride = s


@instr("gemmini_extended3_config_ld({s}, 1.0f, 0, 1);", MODEL)
def gemmini_config_ld1(s: stride):
    GemminiLd1.src_stride = s


@instr("gemmini_extended3_config_ld(4 * {s}, 1.0f, 0, 2);", MODEL)
def gemmini_config_ld2(s: stride):
    GemminiLd2.src_stride = s


@instr("gemmini_extended_config_st({s}, {act}, *{scale});", MODEL)
def gemmini_config_st(s: stride, act: bool, scale: f32):
    GemminiSt.dst_stride = s
    GemminiSt.act = act
    GemminiSt.scale = scale
    GemminiSt.wide = False


@instr("gemmini_extended_config_st(4 * {s}, 0, 1.0f);", MODEL)
def gemmini_config_st_wide(s: stride):
    GemminiSt.dst_stride = s
    GemminiSt.act = False
    GemminiSt.scale = 1.0
    GemminiSt.wide = True


# Loads.


@instr(
    "gemmini_assume_ld(0, {src}.strides[0]);\n"
    "gemmini_extended_mvin(&{src_data}, (uint32_t)(uint64_t)&{dst_data}, {m}, {n});",
    MODEL,
)
def gemmini_mvin(n: size, m: size, src: [i8][n, m] @ DRAM, dst: [i8][n, 16] @ GEMM_SCRATCH):
    assert n <= 16
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert GemminiLd0.src_stride == stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr(
    "gemmini_assume_ld(1, {src}.strides[0]);\n"
    "gemmini_extended_mvin2(&{src_data}, (uint32_t)(uint64_t)&{dst_data}, {m}, {n});",
    MODEL,
)
def gemmini_mvin2(n: size, m: size, src: [i8][n, m] @ DRAM, dst: [i8][n, 16] @ GEMM_SCRATCH):
    assert n <= 16
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert GemminiLd1.src_stride == stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


# Blocks of 16 columns side by side, up to four, each to its own 16 rows.
@instr(
    "gemmini_assume_ld(0, {src}.strides[0]);\n"
    "gemmini_extended_mvin(&{src_data}, (uint32_t)(uint64_t)&{dst_data}, 16 * {b}, 16);",
    MODEL,
)
def gemmini_mvin_blocks(b: size, src: [i8][16, 16 * b] @ DRAM, dst: [i8][b, 16, 16] @ GEMM_SCRATCH):
    assert b <= 4
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 256
    assert stride(dst, 1) == 16
    assert stride(dst, 2) == 1
    assert GemminiLd0.src_stride == stride(src, 0)
    for k in seq(0, b):
        for i in seq(0, 16):
            for j in seq(0, 16):
                dst[k, i, j] = src[i, 16 * k + j]


@instr(
    "gemmini_assume_ld(1, {src}.strides[0]);\n"
    "gemmini_extended_mvin2(&{src_data}, (uint32_t)(uint64_t)&{dst_data}, 16 * {b}, 16);",
    MODEL,
)
def gemmini_mvin2_blocks(b: size, src: [i8][16, 16 * b] @ DRAM, dst: [i8][b, 16, 16] @ GEMM_SCRATCH):
    assert b <= 4
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 256
    assert stride(dst, 1) == 16
    assert stride(dst, 2) == 1
    assert GemminiLd1.src_stride == stride(src, 0)
    for k in seq(0, b):
        for i in seq(0, 16):
            for j in seq(0, 16):
                dst[k, i, j] = src[i, 16 * k + j]


@instr(
    "gemmini_assume_ld(2, 4 * {src}.strides[0]);\n"
    "gemmini_extended_mvin3(&{src_data}, (uint32_t)(uint64_t)&{dst_data}, {m}, {n});",
    MODEL,
)
def gemmini_mvin3(n: size, m: size, src: [i32][n, m] @ DRAM, dst: [i32][n, 16] @ GEMM_ACCUM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert GemminiLd2.src_stride == stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


# Rows 0 cells apart: one row, as often as asked for.
@instr(
    "gemmini_assume_ld(2, 0);\n"
    "gemmini_extended_mvin3(&{src_data}, (uint32_t)(uint64_t)&{dst_data}, {m}, {n});",
    MODEL,
)
def gemmini_mvin3_repeated(n: size, m: size, src: [i32][m] @ DRAM, dst: [i32][n, 16] @ GEMM_ACCUM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 0) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert GemminiLd2.src_stride == 0
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[j]


# From address 0 come zeros.
@instr("gemmini_extended_mvin(0, (uint32_t)(uint64_t)&{dst_data}, {m}, {n});", MODEL)
def gemmini_zero(n: size, m: size, dst: [i8][n, 16] @ GEMM_SCRATCH):
    assert n <= 16
    assert m <= 16
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = 0.0


@instr("gemmini_extended_mvin3(0, (uint32_t)(uint64_t)&{dst_data}, {m}, {n});", MODEL)
def gemmini_zero_acc(n: size, m: size, dst: [i32][n, 16] @ GEMM_ACCUM):
    assert n <= 16
    assert m <= 16
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = 0.0


# Products.


@instr(
    "gemmini_assume_ws();\n"
    "gemmini_extended_preload((uint32_t)(uint64_t)&{B_data}, (uint32_t)(uint64_t)&{C_data}, {m}, {k}, {m}, {n});\n"
    "gemmini_extended_compute_preloaded((uint32_t)(uint64_t)&{A_data}, ~(uint32_t)0, {k}, {n}, 16, 16);",
    MODEL,
)
def gemmini_matmul(
    n: size,
    m: size,
    k: size,
    A: [i8][n, 16] @ GEMM_SCRATCH,
    B: [i8][k, 16] @ GEMM_SCRATCH,
    C: [i32][n, 16] @ GEMM_ACCUM,
):
    assert n <= 16
    assert m <= 16
    assert k <= 16
    assert stride(A, 0) == 16
    assert stride(A, 1) == 1
    assert stride(B, 0) == 16
    assert stride(B, 1) == 1
    assert stride(C, 0) == 16
    assert stride(C, 1) == 1
    assert GemminiEx.weight_stationary == True
    for i in seq(0, n):
        for j in seq(0, m):
            C[i, j] = 0.0
            for l in seq(0, k):
                a: i32
                b: i32
                a = A[i, l]
                b = B[l, j]
                C[i, j] += a * b


@instr(
    "gemmini_assume_ws();\n"
    "gemmini_extended_preload((uint32_t)(uint64_t)&{B_data}, (uint32_t)(uint64_t)&{C_data} | GEMMINI_ACCUMULATE, {m}, {k}, {m}, {n});\n"
    "gemmini_extended_compute_preloaded((uint32_t)(uint64_t)&{A_data}, ~(uint32_t)0, {k}, {n}, 16, 16);",
    MODEL,
)
def gemmini_matmul_acc(
    n: size,
    m: size,
    k: size,
    A: [i8][n, 16] @ GEMM_SCRATCH,
    B: [i8][k, 16] @ GEMM_SCRATCH,
    C: [i32][n, 16] @ GEMM_ACCUM,
):
    assert n <= 16
    assert m <= 16
    assert k <= 16
    assert stride(A, 0) == 16
    assert stride(A, 1) == 1
    assert stride(B, 0) == 16
    assert stride(B, 1) == 1
    assert stride(C, 0) == 16
    assert stride(C, 1) == 1
    assert GemminiEx.weight_stationary == True
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                a: i32
                b: i32
                a = A[i, l]
                b = B[l, j]
                C[i, j] += a * b


# Blocks of rows by one operand, which is brought into the array once: up to eight blocks, each of up to 16 rows, that are
# 16 rows apart.
@instr(
    "gemmini_assume_ws();\n"
    "gemmini_extended_preload((uint32_t)(uint64_t)&{B_data}, (uint32_t)(uint64_t)&{C_data} | GEMMINI_ACCUMULATE, {m}, {k}, {m}, {n});\n"
    "gemmini_extended_compute_preloaded((uint32_t)(uint64_t)&{A_data}, ~(uint32_t)0, {k}, {n}, 16, 16);\n"
    "for (uint32_t gemmini_h = 1; gemmini_h < (uint32_t)({h}); gemmini_h++) {{\n"
    "    gemmini_extended_preload(~(uint32_t)0, ((uint32_t)(uint64_t)&{C_data} + 16 * gemmini_h) | GEMMINI_ACCUMULATE, {m}, {k}, {m}, {n});\n"
    "    gemmini_extended_compute_accumulated((uint32_t)(uint64_t)&{A_data} + 16 * gemmini_h, ~(uint32_t)0, {k}, {n}, 16, 16);\n"
    "}}",
    MODEL,
)
def gemmini_matmul_acc_blocks(
    h: size,
    n: size,
    m: size,
    k: size,
    A: [i8][h, n, 16] @ GEMM_SCRATCH,
    B: [i8][k, 16] @ GEMM_SCRATCH,
    C: [i32][h, n, 16] @ GEMM_ACCUM,
):
    assert h <= 8
    assert n <= 16
    assert m <= 16
    assert k <= 16
    assert stride(A, 0) == 256
    assert stride(A, 1) == 16
    assert stride(A, 2) == 1
    assert stride(B, 0) == 16
    assert stride(B, 1) == 1
    assert stride(C, 0) == 256
    assert stride(C, 1) == 16
    assert stride(C, 2) == 1
    assert GemminiEx.weight_stationary == True
    for r in seq(0, h):
        for i in seq(0, n):
            for j in seq(0, m):
                for l in seq(0, k):
                    a: i32
                    b: i32
                    a = A[r, i, l]
                    b = B[l, j]
                    C[r, i, j] += a * b


# Stores.


@instr(
    "gemmini_assume_st({dst}.strides[0], 0);\n"
    "gemmini_extended_mvout(&{dst_data}, (uint32_t)(uint64_t)&{src_data}, {m}, {n});",
    MODEL,
)
def gemmini_mvout(n: size, m: size, src: [i32][n, 16] @ GEMM_ACCUM, dst: [i8][n, m] @ DRAM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 0) == 16
    assert stride(src, 1) == 1
    assert stride(dst, 1) == 1
    assert GemminiSt.dst_stride == stride(dst, 0)
    assert GemminiSt.wide == False
    for i in seq(0, n):
        for j in seq(0, m):
            t: i32
            t = src[i, j]
            if GemminiSt.act == True:
                t = relu(t)
            s: f32
            s = t
            s = s * GemminiSt.scale
            dst[i, j] = clamp(s)


@instr(
    "gemmini_assume_st(4 * {dst}.strides[0], 1);\n"
    "gemmini_extended_mvout(&{dst_data}, (uint32_t)(uint64_t)&{src_data} | GEMMINI_FULL_WIDTH, {m}, {n});",
    MODEL,
)
def gemmini_mvout_wide(n: size, m: size, src: [i32][n, 16] @ GEMM_ACCUM, dst: [i32][n, m] @ DRAM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 0) == 16
    assert stride(src, 1) == 1
    assert stride(dst, 1) == 1
    assert GemminiSt.dst_stride == stride(dst, 0)
    assert GemminiSt.wide == True
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]
