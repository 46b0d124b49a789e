# Scales one column of a matrix: a window statement takes the column, a call scales it.
# covers: blas1, f64, scalar, tensor, window, window-stmt, calls, index-arg, asserts, omitted-ends
from __future__ import annotations

from exo import proc, DRAM


@proc
def dscal(n: size, a: f64, x: [f64][n] @ DRAM):
    for i in seq(0, n):
        x[i] = a * x[i]


@proc
def dscal_column(m: size, n: size, j: index, a: f64, A: f64[m, n]):
    assert 0 <= j and j < n
    col = A[:, j]
    dscal(m, a, col)
