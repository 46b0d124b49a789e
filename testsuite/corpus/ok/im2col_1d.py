# Lays the windows of a signal out as columns, so that a convolution becomes a product.
# covers: conv, f32, tensor, alloc, calls, reduction, asserts
from __future__ import annotations
from exo import *


@proc
def im2col_1d(n: size, k: size, x: f32[n], cols: f32[k, n - k + 1]):
    assert k <= n
    for j in seq(0, k):
        for i in seq(0, n - k + 1):
            cols[j, i] = x[i + j]


@proc
def conv1d_by_columns(n: size, k: size, x: f32[n], w: f32[k], y: f32[n - k + 1]):
    assert k <= n
    cols: f32[k, n - k + 1] @ DRAM
    im2col_1d(n, k, x, cols)
    for i in seq(0, n - k + 1):
        y[i] = 0.0
        for j in seq(0, k):
            y[i] += w[j] * cols[j, i]
