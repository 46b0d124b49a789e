# Single precision matrix product of dense row-major matrices whose sizes the caller promises.
# covers: blas3, f32, tensor, reduction, quasi-affine, asserts, docstring
from __future__ import annotations
from exo import *


@proc
def sgemm(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    """
    C += A * B.

    Sizes are at least 1, and the inner one is a multiple of four.
    """
    assert M >= 1
    assert N >= 1
    assert K % 4 == 0
    for k in seq(0, K):
        for i in seq(0, M):
            for j in seq(0, N):
                C[i, j] += A[i, k] * B[k, j]
