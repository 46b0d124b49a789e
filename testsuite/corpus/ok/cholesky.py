# The Cholesky factor of a symmetric matrix, in its lower triangle.
# covers: triangular, f64, tensor, reduction, data-division, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import sqrt


@proc
def cholesky(n: size, A: f64[n, n]):
    for j in seq(0, n):
        for k in seq(0, j):
            A[j, j] += -(A[j, k] * A[j, k])
        A[j, j] = sqrt(A[j, j])
        for i in seq(j + 1, n):
            for k in seq(0, j):
                A[i, j] += -(A[i, k] * A[j, k])
            A[i, j] = A[i, j] / A[j, j]
