# Solves X * U = B in place, dividing by the diagonal of U.
# covers: blas3, triangular, f64, window, data-division
from __future__ import annotations
from exo import *


@proc
def trsm_right_upper(m: size, n: size, U: [f64][n, n], B: [f64][m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, j):
                B[i, j] = B[i, j] - B[i, k] * U[k, j]
            B[i, j] = B[i, j] / U[j, j]
