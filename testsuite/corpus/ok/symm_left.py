# C += A * B where A is symmetric and only its lower triangle is read.
# covers: blas3, triangular, f32, window, reduction
from __future__ import annotations
from exo import *


@proc
def symm_left(m: size, n: size, A: [f32][m, m], B: [f32][m, n], C: [f32][m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            C[i, j] += A[i, i] * B[i, j]
            for k in seq(0, i):
                C[i, j] += A[i, k] * B[k, j]
                C[k, j] += A[i, k] * B[i, j]
