# The rank-one update A += alpha * x * y^T.
# covers: blas2, f32, scalar, window, alloc-scalar, reduction, asserts, stride
from __future__ import annotations
from exo import *


@proc
def ger(m: size, n: size, alpha: f32, x: [f32][m], y: [f32][n], A: [f32][m, n]):
    assert stride(A, 1) == 1
    for i in seq(0, m):
        ax: f32
        ax = alpha * x[i]
        for j in seq(0, n):
            A[i, j] += ax * y[j]
