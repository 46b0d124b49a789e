# Four interleaved 3 by 3 matrix-vector products: the batch is the innermost dimension.
# covers: blas2, batch, f32, tensor, alloc, alloc-in-loop, reduction, constants
from __future__ import annotations
from exo import *

D = 3


@proc
def batched_gemv_interleaved(b: size, A: f32[D, D, b], x: f32[D, b], y: f32[D, b]):
    for t in seq(0, b):
        acc: f32[D]
        for i in seq(0, D):
            acc[i] = 0.0
            for j in seq(0, D):
                acc[i] += A[i, j, t] * x[j, t]
        for i in seq(0, D):
            y[i, t] = acc[i]
