# C += op(A) * op(B) where op transposes the left, the right, or both operands.
# covers: blas3, f64, window, reduction
from __future__ import annotations
from exo import *


@proc
def gemm_tn(m: size, n: size, p: size, A: [f64][p, m], B: [f64][p, n], C: [f64][m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, p):
                C[i, j] += A[k, i] * B[k, j]


@proc
def gemm_nt(m: size, n: size, p: size, A: [f64][m, p], B: [f64][n, p], C: [f64][m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, p):
                C[i, j] += A[i, k] * B[j, k]


@proc
def gemm_tt(m: size, n: size, p: size, A: [f64][p, m], B: [f64][n, p], C: [f64][m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, p):
                C[i, j] += A[k, i] * B[j, k]
