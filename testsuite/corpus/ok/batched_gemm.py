# A product for each matrix of a batch, by calling one kernel on planes of rank-3 tensors.
# covers: blas3, batch, f32, tensor, window, calls, reduction, omitted-ends
from __future__ import annotations
from exo import *


@proc
def plane_gemm(m: size, n: size, p: size, A: [f32][m, p], B: [f32][p, n], C: [f32][m, n]):
    for i in seq(0, m):
        for k in seq(0, p):
            for j in seq(0, n):
                C[i, j] += A[i, k] * B[k, j]


@proc
def batched_gemm(
    b: size, m: size, n: size, p: size, A: f32[b, m, p], B: f32[b, p, n], C: f32[b, m, n]
):
    for t in seq(0, b):
        plane_gemm(m, n, p, A[t, :, :], B[t, :, :], C[t, :, :])
