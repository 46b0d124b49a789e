# y += alpha * A * x where only the upper triangle of the symmetric A is stored.
# covers: blas2, triangular, f64, scalar, window, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def symv_upper(n: size, alpha: f64, A: [f64][n, n], x: [f64][n], y: [f64][n]):
    for i in seq(0, n):
        acc: f64
        acc = A[i, i] * x[i]
        for j in seq(i + 1, n):
            acc += A[i, j] * x[j]
            y[j] += alpha * A[i, j] * x[i]
        y[i] += alpha * acc
