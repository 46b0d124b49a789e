# x = L^T * x in place, which runs down the columns of L.
# covers: blas2, triangular, f32, window, bool-arg, if, not, reduction
from __future__ import annotations
from exo import *


@proc
def trmv_lower_transposed(n: size, unit: bool, L: [f32][n, n], x: [f32][n]):
    for i in seq(0, n):
        if not unit:
            x[i] = L[i, i] * x[i]
        for j in seq(i + 1, n):
            x[i] += L[j, i] * x[j]
