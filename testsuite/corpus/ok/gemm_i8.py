# The product of 8-bit matrices in 32-bit sums: each factor is widened before the multiplication.
# covers: blas3, i8, i32, tensor, alloc-scalar, reduction, cast
from __future__ import annotations
from exo import *


@proc
def gemm_i8(m: size, n: size, p: size, A: i8[m, p], B: i8[p, n], C: i32[m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, p):
                a: i32
                a = A[i, k]
                b: i32
                b = B[k, j]
                C[i, j] += a * b
