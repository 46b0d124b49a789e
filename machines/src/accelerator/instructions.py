# The accelerator of PLDI'22 §2: a scratchpad for operands and an accumulator for results, both of rows of 16,
# reached by its instructions alone; and two registers with the distances of rows in DRAM, set by themselves.
# `MODEL` is the C in model.h, which stands for the hardware.


class ACCEL_SCRATCH(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = malloc({size} * sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    def read(cls, basetype, baseptr, indices, strides, srcinfo):
        raise MemGenError("the scratchpad is read by instructions only")

    def write(cls, *args):
        raise MemGenError("the scratchpad is written by instructions only")

    def reduce(cls, *args):
        raise MemGenError("the scratchpad is written by instructions only")


class ACCEL_ACCUM(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = malloc({size} * sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    def read(cls, basetype, baseptr, indices, strides, srcinfo):
        raise MemGenError("the accumulator is read by instructions only")

    def write(cls, *args):
        raise MemGenError("the accumulator is written by instructions only")

    def reduce(cls, *args):
        raise MemGenError("the accumulator is written by instructions only")


@config(readwrite=False)
class ConfigLoad:
    src_stride: stride


@config(readwrite=False)
class ConfigStore:
    dst_stride: stride


@instr("accel_config_ld({s});", MODEL)
def accel_config_ld(s: stride):
    ConfigLoad.src_stride = s


@instr("accel_config_st({s});", MODEL)
def accel_config_st(s: stride):
    ConfigStore.dst_stride = s


@instr("accel_mvin({dst}.data, {src}.data, {n}, {m});", MODEL)
def accel_mvin(n: size, m: size, src: [f32][n, m] @ DRAM, dst: [f32][n, 16] @ ACCEL_SCRATCH):
    assert n <= 16
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert ConfigLoad.src_stride == stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("accel_mvin({dst}.data, {src}.data, {n}, {m});", MODEL)
def accel_mvin_acc(n: size, m: size, src: [f32][n, m] @ DRAM, dst: [f32][n, 16] @ ACCEL_ACCUM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert ConfigLoad.src_stride == stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("accel_mvout({dst}.data, {src}.data, {n}, {m});", MODEL)
def accel_mvout(n: size, m: size, src: [f32][n, 16] @ ACCEL_ACCUM, dst: [f32][n, m] @ DRAM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 0) == 16
    assert stride(src, 1) == 1
    assert stride(dst, 1) == 1
    assert ConfigStore.dst_stride == stride(dst, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


# The instructions as they come: with their configuration, which their bodies write too [E-22].
@instr("accel_config_ld({src}.strides[0]);\naccel_mvin({dst}.data, {src}.data, {n}, {m});", MODEL)
def accel_ld(n: size, m: size, src: [f32][n, m] @ DRAM, dst: [f32][n, 16] @ ACCEL_SCRATCH):
    assert n <= 16
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    ConfigLoad.src_stride = stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("accel_config_ld({src}.strides[0]);\naccel_mvin({dst}.data, {src}.data, {n}, {m});", MODEL)
def accel_ld_acc(n: size, m: size, src: [f32][n, m] @ DRAM, dst: [f32][n, 16] @ ACCEL_ACCUM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    ConfigLoad.src_stride = stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("accel_config_st({dst}.strides[0]);\naccel_mvout({dst}.data, {src}.data, {n}, {m});", MODEL)
def accel_st(n: size, m: size, src: [f32][n, 16] @ ACCEL_ACCUM, dst: [f32][n, m] @ DRAM):
    assert n <= 16
    assert m <= 16
    assert stride(src, 0) == 16
    assert stride(src, 1) == 1
    assert stride(dst, 1) == 1
    ConfigStore.dst_stride = stride(dst, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("accel_zero({dst}.data, {n});", MODEL)
def accel_zero_acc(n: size, dst: [f32][n, 16] @ ACCEL_ACCUM):
    assert n <= 16
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    for i in seq(0, n):
        for j in seq(0, 16):
            dst[i, j] = 0.0


@instr("accel_matmul({c}.data, {a}.data, {b}.data, {n}, {m}, {p});", MODEL)
def accel_matmul(
    n: size,
    m: size,
    p: size,
    a: [f32][n, 16] @ ACCEL_SCRATCH,
    b: [f32][p, 16] @ ACCEL_SCRATCH,
    c: [f32][n, 16] @ ACCEL_ACCUM,
):
    assert n <= 16
    assert m <= 16
    assert p <= 16
    assert stride(a, 0) == 16
    assert stride(a, 1) == 1
    assert stride(b, 0) == 16
    assert stride(b, 1) == 1
    assert stride(c, 0) == 16
    assert stride(c, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            for k in seq(0, p):
                c[i, j] += a[i, k] * b[k, j]
