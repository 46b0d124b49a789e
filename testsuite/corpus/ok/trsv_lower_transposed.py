# Solves L^T * x = b with the reciprocals of the diagonal given, so that nothing is divided.
# covers: blas2, triangular, f32, tensor, window
from __future__ import annotations
from exo import *


@proc
def trsv_lower_transposed(n: size, L: [f32][n, n], inv_diag: f32[n], x: [f32][n]):
    for k in seq(0, n):
        x[n - 1 - k] = x[n - 1 - k] * inv_diag[n - 1 - k]
        for i in seq(0, n - 1 - k):
            x[i] = x[i] - L[n - 1 - k, i] * x[n - 1 - k]
