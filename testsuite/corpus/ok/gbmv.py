# y += A * x for a band matrix: row i of `band` holds A[i, i-kl] … A[i, i+ku].
# covers: blas2, f32, tensor, window, if, reduction
from __future__ import annotations
from exo import *


@proc
def gbmv(m: size, n: size, kl: size, ku: size, band: f32[m, kl + ku + 1], x: [f32][n], y: [f32][m]):
    for i in seq(0, m):
        for d in seq(0, kl + ku + 1):
            # Column i + d - kl may lie outside the matrix.
            if i + d - kl >= 0 and i + d - kl < n:
                y[i] += band[i, d] * x[i + d - kl]
