# Instructions that take a scalar, a control number and a cell: broadcast, and sum into a place.
# covers: accelerator, f32, scalar, tensor, window, window-0d, cell-argument, alloc, calls, instr, c-global, reduction, asserts, stride, constants, omitted-ends
from __future__ import annotations
from exo import *

LIB = (
    "static inline void splat(float *d, int_fast32_t n, float v) {\n"
    + "  for (int_fast32_t i = 0; i < n; i++) d[i] = v;\n"
    + "}\n"
    + "static inline void sum_into(float *d, const float *s, int_fast32_t n) {\n"
    + "  for (int_fast32_t i = 0; i < n; i++) *d += s[i];\n"
    + "}\n"
)


@instr("splat(&{dst_data}, {n}, {v_data});", LIB)
def splat(n: size, dst: [f32][n], v: [f32]):
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = v


@instr("sum_into(&{d_data}, &{src_data}, {n});", LIB)
def sum_into(n: size, d: [f32], src: [f32][n]):
    assert stride(src, 0) == 1
    for i in seq(0, n):
        d += src[i]


@proc
def accel_scalar_operands(m: size, n: size, v: f32, x: f32[m, n], s: f32[m]):
    row: f32[n]
    for i in seq(0, m):
        splat(n, row, v)
        sum_into(n, s[i], row)
        sum_into(n, s[i], x[i, :])
