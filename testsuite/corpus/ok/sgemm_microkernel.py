# Single precision product that calls a 4 by 8 kernel on windows of its operands.
# covers: blas3, tiling, f32, tensor, window, alloc, calls, reduction, quasi-affine, asserts, stride, constants
from __future__ import annotations
from exo import *

MR = 4
NR = 8


@proc
def kernel_4x8(K: size, A: [f32][MR, K], B: [f32][K, NR], C: [f32][MR, NR]):
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    acc: f32[MR, NR]
    for i in seq(0, MR):
        for j in seq(0, NR):
            acc[i, j] = C[i, j]
    for k in seq(0, K):
        for i in seq(0, MR):
            for j in seq(0, NR):
                acc[i, j] += A[i, k] * B[k, j]
    for i in seq(0, MR):
        for j in seq(0, NR):
            C[i, j] = acc[i, j]


@proc
def sgemm_microkernel(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    assert M % MR == 0
    assert N % NR == 0
    for io in seq(0, M / MR):
        for jo in seq(0, N / NR):
            kernel_4x8(
                K,
                A[MR * io : MR * io + MR, 0:K],
                B[0:K, NR * jo : NR * jo + NR],
                C[MR * io : MR * io + MR, NR * jo : NR * jo + NR],
            )
