# The symmetric rank-two update of the lower triangle.
# covers: blas2, triangular, f64, scalar, window, reduction
from __future__ import annotations
from exo import *


@proc
def syr2(n: size, alpha: f64, x: [f64][n], y: [f64][n], A: [f64][n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            A[i, j] += alpha * x[i] * y[j] + alpha * y[i] * x[j]
