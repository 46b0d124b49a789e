# The load instructions of PLDI'22 §2.3 and §2.4: with its configuration, and split from it.
# covers: paper, accelerator, R, window, instr, c-global, memory-class, other-memory, config, config-stride, stride-arg, asserts, stride, constants
from __future__ import annotations

from exo import *
from exo.memory import Memory, MemGenError

HW = (
    "static int_fast32_t ld_stride;\n"
    + "static inline void config_ld(int_fast32_t stride) { ld_stride = stride; }\n"
    + "static inline void mvin(const float *src, float *dst, int_fast32_t n, int_fast32_t m) {\n"
    + "  for (int_fast32_t i = 0; i < n; i++)\n"
    + "    for (int_fast32_t j = 0; j < m; j++) dst[16 * i + j] = src[ld_stride * i + j];\n"
    + "}\n"
)


class SCRATCHPAD(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = malloc({shape[0]} * {shape[1]} * sizeof({prim_type}));"

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    @classmethod
    def can_read(cls):
        return False

    @classmethod
    def read(cls, *args):
        raise MemGenError("the scratchpad is not addressable")

    @classmethod
    def write(cls, *args):
        raise MemGenError("the scratchpad is not addressable")

    @classmethod
    def reduce(cls, *args):
        raise MemGenError("the scratchpad is not addressable")


@config
class ConfigLoad:
    src_stride: stride


@instr("config_ld({src}.strides[0]);\nmvin({src}.data, {dst}.data, {n}, {m});", HW)
def ld_data(n: size, m: size, src: [R][n, m] @ DRAM, dst: [R][n, 16] @ SCRATCHPAD):
    assert m <= 16
    assert stride(src, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]


@instr("config_ld({s});", HW)
def config_ld_def(s: stride):
    ConfigLoad.src_stride = s


@instr("mvin({src}.data, {dst}.data, {n}, {m});", HW)
def real_ld_data(n: size, m: size, src: [R][n, m] @ DRAM, dst: [R][n, 16] @ SCRATCHPAD):
    assert m <= 16
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 16
    assert ConfigLoad.src_stride == stride(src, 0)
    for i in seq(0, n):
        for j in seq(0, m):
            dst[i, j] = src[i, j]
