# B = L * B in place for a lower triangular L, from the last row up.
# covers: blas3, triangular, f32, window, reduction
from __future__ import annotations
from exo import *


@proc
def trmm_left_lower(m: size, n: size, L: [f32][m, m], B: [f32][m, n]):
    for r in seq(0, m):
        for j in seq(0, n):
            B[m - 1 - r, j] = L[m - 1 - r, m - 1 - r] * B[m - 1 - r, j]
            for k in seq(0, m - 1 - r):
                B[m - 1 - r, j] += L[m - 1 - r, k] * B[k, j]
