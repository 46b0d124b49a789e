# y = alpha * A^T * x + beta * y, row by row so that A is read in order.
# covers: blas2, f64, scalar, window, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def gemv_transposed(
    m: size, n: size, alpha: f64, beta: f64, A: [f64][m, n], x: [f64][m], y: [f64][n]
):
    for j in seq(0, n):
        y[j] = beta * y[j]
    for i in seq(0, m):
        ax: f64
        ax = alpha * x[i]
        for j in seq(0, n):
            y[j] += ax * A[i, j]
