# One inner product per column of two matrices: strided windows, and results passed as cells.
# covers: blas1, batch, f32, scalar, tensor, window, cell-argument, calls, reduction, omitted-ends
from __future__ import annotations
from exo import *


@proc
def dot_into(n: size, x: [f32][n], y: [f32][n], r: f32):
    r = 0.0
    for i in seq(0, n):
        r += x[i] * y[i]


@proc
def batched_dot_strided(n: size, b: size, X: f32[n, b], Y: f32[n, b], r: f32[b]):
    for t in seq(0, b):
        dot_into(n, X[:, t], Y[0:n, t], r[t])
