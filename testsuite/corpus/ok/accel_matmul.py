# A made-up 4 by 4 matrix unit with scratchpad and accumulator, driven by four instructions.
# covers: accelerator, f32, tensor, window, alloc, calls, instr, c-global, memory-class, other-memory, reduction, quasi-affine, asserts, stride, constants
from __future__ import annotations

from exo import *
from exo.memory import Memory, MemGenError

MU = (
    "static inline void mu_load(float *d, const float *s, int_fast32_t ld) {\n"
    + "  for (int i = 0; i < 4; i++)\n"
    + "    for (int j = 0; j < 4; j++) d[4 * i + j] = s[ld * i + j];\n"
    + "}\n"
    + "static inline void mu_zero(float *d) {\n"
    + "  for (int i = 0; i < 16; i++) d[i] = 0.0f;\n"
    + "}\n"
    + "static inline void mu_mul(float *c, const float *a, const float *b) {\n"
    + "  for (int i = 0; i < 4; i++)\n"
    + "    for (int j = 0; j < 4; j++)\n"
    + "      for (int k = 0; k < 4; k++) c[4 * i + j] += a[4 * i + k] * b[4 * k + j];\n"
    + "}\n"
    + "static inline void mu_add_out(float *d, const float *s, int_fast32_t ld) {\n"
    + "  for (int i = 0; i < 4; i++)\n"
    + "    for (int j = 0; j < 4; j++) d[ld * i + j] += s[4 * i + j];\n"
    + "}\n"
)


class SCRATCHPAD(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{shape[0]} * {shape[1]}];"

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        return ""

    @classmethod
    def can_read(cls):
        return False


class ACCUMULATOR(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{shape[0]} * {shape[1]}];"

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        return ""

    @classmethod
    def can_read(cls):
        return False

    @classmethod
    def write(cls, *args):
        raise MemGenError("the accumulator is written by mu_zero")

    @classmethod
    def reduce(cls, *args):
        raise MemGenError("the accumulator is added to by mu_mul")


@instr("mu_load(&{dst_data}, &{src_data}, {src.strides[0]});", MU)
def mu_load(src: [f32][4, 4] @ DRAM, dst: [f32][4, 4] @ SCRATCHPAD):
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 4
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[i, j] = src[i, j]


@instr("mu_zero(&{dst_data});", MU)
def mu_zero(dst: [f32][4, 4] @ ACCUMULATOR):
    assert stride(dst, 0) == 4
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[i, j] = 0.0


@instr("mu_mul(&{c_data}, &{a_data}, &{b_data});", MU)
def mu_mul(a: [f32][4, 4] @ SCRATCHPAD, b: [f32][4, 4] @ SCRATCHPAD, c: [f32][4, 4] @ ACCUMULATOR):
    assert stride(a, 0) == 4
    assert stride(b, 0) == 4
    assert stride(c, 0) == 4
    for i in seq(0, 4):
        for j in seq(0, 4):
            for k in seq(0, 4):
                c[i, j] += a[i, k] * b[k, j]


@instr("mu_add_out(&{dst_data}, &{src_data}, {dst.strides[0]});", MU)
def mu_add_out(src: [f32][4, 4] @ ACCUMULATOR, dst: [f32][4, 4] @ DRAM):
    assert stride(dst, 1) == 1
    assert stride(src, 0) == 4
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[i, j] += src[i, j]


@proc
def accel_matmul(m: size, n: size, p: size, A: f32[m, p], B: f32[p, n], C: f32[m, n]):
    assert m % 4 == 0
    assert n % 4 == 0
    assert p % 4 == 0
    res: f32[4, 4] @ ACCUMULATOR
    a: f32[4, 4] @ SCRATCHPAD
    b: f32[4, 4] @ SCRATCHPAD
    for io in seq(0, m / 4):
        for jo in seq(0, n / 4):
            mu_zero(res)
            for ko in seq(0, p / 4):
                mu_load(A[4 * io : 4 * io + 4, 4 * ko : 4 * ko + 4], a)
                mu_load(B[4 * ko : 4 * ko + 4, 4 * jo : 4 * jo + 4], b)
                mu_mul(a, b, res)
            mu_add_out(res, C[4 * io : 4 * io + 4, 4 * jo : 4 * jo + 4])
