# y = alpha * A * x + beta * y for a row-major matrix of any leading dimension.
# covers: blas2, f32, scalar, window, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def gemv(m: size, n: size, alpha: f32, beta: f32, A: [f32][m, n], x: [f32][n], y: [f32][m]):
    for i in seq(0, m):
        acc: f32
        acc = 0.0
        for j in seq(0, n):
            acc += A[i, j] * x[j]
        y[i] = alpha * acc + beta * y[i]
