# Solves L * X = B in place for many right-hand sides; the diagonal of L counts as ones.
# covers: blas3, triangular, f32, window
from __future__ import annotations
from exo import *


@proc
def trsm_left_lower_unit(m: size, n: size, L: [f32][m, m], B: [f32][m, n]):
    for i in seq(0, m):
        for k in seq(0, i):
            for j in seq(0, n):
                B[i, j] = B[i, j] - L[i, k] * B[k, j]
