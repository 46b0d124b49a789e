# The factors L and U of a matrix in its own cells, by elimination without pivoting.
# covers: triangular, f64, tensor, alloc-scalar, data-division
from __future__ import annotations
from exo import *


@proc
def lu_unpivoted(n: size, A: f64[n, n]):
    for k in seq(0, n):
        for i in seq(k + 1, n):
            A[i, k] = A[i, k] / A[k, k]
            f: f64
            f = A[i, k]
            for j in seq(k + 1, n):
                A[i, j] = A[i, j] - f * A[k, j]
