# x = U^T * x in place, by adding each cell's share to the cells behind it.
# covers: blas2, triangular, f64, window, bool-arg, if, reduction
from __future__ import annotations
from exo import *


@proc
def trmv_upper_transposed(n: size, unit: bool, U: [f64][n, n], x: [f64][n]):
    for k in seq(0, n):
        for j in seq(n - k, n):
            x[j] += U[n - 1 - k, j] * x[n - 1 - k]
        if unit == False:
            x[n - 1 - k] = U[n - 1 - k, n - 1 - k] * x[n - 1 - k]
