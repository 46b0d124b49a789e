# Solves U * x = b in place by back substitution, dividing by the diagonal.
# covers: blas2, triangular, f64, window, alloc-scalar, reduction, data-division
from __future__ import annotations
from exo import *


@proc
def trsv_upper(n: size, U: [f64][n, n], x: [f64][n]):
    for k in seq(0, n):
        acc: f64
        acc = x[n - k - 1]
        for j in seq(n - k, n):
            acc += -U[n - k - 1, j] * x[j]
        x[n - k - 1] = acc / U[n - k - 1, n - k - 1]
