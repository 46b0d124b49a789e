# C += A * B^T + B * A^T, in the upper triangle only.
# covers: blas3, triangular, f64, window, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def syr2k(n: size, p: size, A: [f64][n, p], B: [f64][n, p], C: [f64][n, n]):
    for i in seq(0, n):
        for j in seq(i, n):
            acc: f64
            acc = 0.0
            for k in seq(0, p):
                acc += A[i, k] * B[j, k]
                acc += B[i, k] * A[j, k]
            C[i, j] += acc
