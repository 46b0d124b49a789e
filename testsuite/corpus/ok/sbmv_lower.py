# y += A * x for a symmetric band matrix of which the diagonal and k lower diagonals are stored.
# covers: blas2, triangular, f64, tensor, if, reduction
from __future__ import annotations
from exo import *


@proc
def sbmv_lower(n: size, k: size, band: f64[n, k + 1], x: f64[n], y: f64[n]):
    for i in seq(0, n):
        y[i] += band[i, k] * x[i]
        for d in seq(0, k):
            if i - k + d >= 0:
                y[i] += band[i, d] * x[i - k + d]
                y[i - k + d] += band[i, d] * x[i]
