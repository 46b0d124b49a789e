# The matrix product of PLDI'22 §2.1: 128 by 128, of the abstract number type.
# covers: paper, blas3, R, tensor, reduction
from __future__ import annotations

from exo import *


@proc
def gemm(A: R[128, 128] @ DRAM, B: R[128, 128] @ DRAM, C: R[128, 128] @ DRAM):
    for i in seq(0, 128):
        for j in seq(0, 128):
            for k in seq(0, 128):
                C[i, j] += A[i, k] * B[k, j]
