# A made-up vector unit: four-lane registers in a memory that only instructions may touch.
# covers: accelerator, f32, tensor, window, alloc, alloc-in-loop, calls, instr, c-global, memory-class, other-memory, reduction, quasi-affine, asserts, stride, constants
from __future__ import annotations

from exo import *
from exo.memory import Memory, MemGenError

VU = (
    "typedef struct { float lane[4]; } vreg;\n"
    + "static inline void vu_load(vreg *r, const float *p) {\n"
    + "  for (int l = 0; l < 4; l++) r->lane[l] = p[l];\n"
    + "}\n"
    + "static inline void vu_store(float *p, const vreg *r) {\n"
    + "  for (int l = 0; l < 4; l++) p[l] = r->lane[l];\n"
    + "}\n"
    + "static inline void vu_fma(vreg *d, const vreg *a, const vreg *b) {\n"
    + "  for (int l = 0; l < 4; l++) d->lane[l] += a->lane[l] * b->lane[l];\n"
    + "}\n"
)


class VREG(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"vreg {new_name};"

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        return ""

    @classmethod
    def can_read(cls):
        return False

    @classmethod
    def window(cls, basetyp, baseptr, indices, strides, srcinfo):
        return f"{baseptr}"

    @classmethod
    def write(cls, *args):
        raise MemGenError("vector registers are written by vu_load and vu_fma")

    @classmethod
    def reduce(cls, *args):
        raise MemGenError("vector registers are added to by vu_fma")


@instr("vu_load(&{dst}, &{src_data});", VU)
def vu_load(dst: [f32][4] @ VREG, src: [f32][4] @ DRAM):
    assert stride(src, 0) == 1
    for l in seq(0, 4):
        dst[l] = src[l]


@instr("vu_store(&{dst_data}, &{src});", VU)
def vu_store(dst: [f32][4] @ DRAM, src: [f32][4] @ VREG):
    assert stride(dst, 0) == 1
    for l in seq(0, 4):
        dst[l] = src[l]


@instr("vu_fma(&{d}, &{a}, &{b});", VU)
def vu_fma(d: [f32][4] @ VREG, a: [f32][4] @ VREG, b: [f32][4] @ VREG):
    for l in seq(0, 4):
        d[l] += a[l] * b[l]


@proc
def accel_vector(n: size, x: f32[n], y: f32[n], z: f32[n]):
    assert n % 4 == 0
    for i in seq(0, n / 4):
        a: f32[4] @ VREG
        b: f32[4] @ VREG
        c: f32[4] @ VREG
        vu_load(a, x[4 * i : 4 * i + 4])
        vu_load(b, y[4 * i : 4 * i + 4])
        vu_load(c, z[4 * i : 4 * i + 4])
        vu_fma(c, a, b)
        vu_store(z[4 * i : 4 * i + 4], c)
