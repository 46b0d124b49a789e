# The matrix product for every size, of the abstract number type.
# covers: paper, blas3, R, tensor, reduction
from __future__ import annotations

from exo import *


@proc
def gemm_sizes(
    m: size,
    n: size,
    p: size,
    A: R[m, p] @ DRAM,
    B: R[p, n] @ DRAM,
    C: R[m, n] @ DRAM,
):
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, p):
                C[i, j] += A[i, k] * B[k, j]
