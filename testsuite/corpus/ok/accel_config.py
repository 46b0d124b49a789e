# Configured loads: hardware state that C keeps in the context struct and may be read directly.
# covers: accelerator, f32, tensor, window, alloc, calls, instr, c-global, config, config-size, config-stride, stride-arg, asserts, stride, constants, omitted-ends
from __future__ import annotations
from exo import *

DMA = (
    "static inline void dma_rows(float *d, const float *s, int_fast32_t ld, int_fast32_t n) {\n"
    + "  for (int_fast32_t i = 0; i < n; i++)\n"
    + "    for (int_fast32_t j = 0; j < 8; j++) d[8 * i + j] = s[ld * i + j];\n"
    + "}\n"
)


@config
class Dma:
    ld: stride
    rows: size


@proc
def dma_setup(ld: stride, rows: size):
    Dma.ld = ld
    Dma.rows = rows


@instr("dma_rows(&{dst_data}, &{src_data}, {src.strides[0]}, {n});", DMA)
def dma_rows(n: size, src: [f32][n, 8], dst: [f32][n, 8]):
    assert stride(src, 1) == 1
    assert stride(dst, 0) == 8
    assert stride(dst, 1) == 1
    assert Dma.ld == stride(src, 0)
    assert Dma.rows == n
    for i in seq(0, n):
        for j in seq(0, 8):
            dst[i, j] = src[i, j]


@proc
def accel_config(n: size, w: size, A: f32[n, w], out: f32[n, 8]):
    assert w >= 8
    dma_setup(stride(A, 0), n)
    buf: f32[n, 8]
    dma_rows(n, A[:, 0:8], buf)
    for i in seq(0, Dma.rows):
        for j in seq(0, 8):
            out[i, j] = 2.0 * buf[i, j]
