# The symmetric product of a matrix with its transpose: lower from A * A^T, upper from A^T * A.
# covers: blas3, triangular, f32, scalar, window, reduction
from __future__ import annotations
from exo import *


@proc
def syrk_lower(n: size, p: size, alpha: f32, A: [f32][n, p], C: [f32][n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            for k in seq(0, p):
                C[i, j] += alpha * A[i, k] * A[j, k]


@proc
def syrk_upper_transposed(n: size, p: size, alpha: f32, A: [f32][p, n], C: [f32][n, n]):
    for k in seq(0, p):
        for i in seq(0, n):
            for j in seq(i, n):
                C[i, j] += alpha * A[k, i] * A[k, j]
