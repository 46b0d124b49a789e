# y += alpha * A * x where only the lower triangle of the symmetric A is stored.
# covers: blas2, triangular, f32, scalar, window, reduction
from __future__ import annotations
from exo import *


@proc
def symv_lower(n: size, alpha: f32, A: [f32][n, n], x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        for j in seq(0, i):
            y[i] += alpha * A[i, j] * x[j]
            y[j] += alpha * A[i, j] * x[i]
        y[i] += alpha * A[i, i] * x[i]
