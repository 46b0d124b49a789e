# B = alpha * B * U in place for an upper triangular U with a unit diagonal, row by row.
# covers: blas3, triangular, f64, scalar, window, window-stmt, calls, reduction, omitted-ends
from __future__ import annotations
from exo import *


@proc
def row_times_upper_unit(n: size, alpha: f64, U: [f64][n, n], b: [f64][n]):
    for c in seq(0, n):
        for k in seq(0, n - 1 - c):
            b[n - 1 - c] += b[k] * U[k, n - 1 - c]
        b[n - 1 - c] = alpha * b[n - 1 - c]


@proc
def trmm_right_upper(m: size, n: size, alpha: f64, U: [f64][n, n], B: [f64][m, n]):
    for i in seq(0, m):
        row = B[i, :]
        row_times_upper_unit(n, alpha, U, row)
