# y += A * x with four rows at a time, and the last rows one by one.
# covers: blas2, tiling, f32, tensor, window, alloc, alloc-in-loop, reduction, quasi-affine, asserts, stride
from __future__ import annotations
from exo import *


@proc
def gemv_row_blocks(m: size, n: size, A: [f32][m, n], x: f32[n], y: f32[m]):
    assert stride(A, 1) == 1
    for io in seq(0, m / 4):
        acc: f32[4] @ DRAM
        for ii in seq(0, 4):
            acc[ii] = 0.0
        for j in seq(0, n):
            for ii in seq(0, 4):
                acc[ii] += A[4 * io + ii, j] * x[j]
        for ii in seq(0, 4):
            y[4 * io + ii] += acc[ii]
    for it in seq(0, m % 4):
        for j in seq(0, n):
            y[m / 4 * 4 + it] += A[m / 4 * 4 + it, j] * x[j]
