# Solves L * x = b in place by forward substitution; the diagonal of L counts as ones.
# covers: blas2, triangular, f32, window, reduction
from __future__ import annotations
from exo import *


@proc
def trsv_lower_unit(n: size, L: [f32][n, n], x: [f32][n]):
    for i in seq(0, n):
        for j in seq(0, i):
            x[i] += -(L[i, j] * x[j])
