# The Kronecker product with a fixed 2 by 3 factor, by / and % on the result's indices.
# covers: blas3, f32, tensor, quasi-affine
from __future__ import annotations
from exo import *


@proc
def kronecker_fixed(m: size, n: size, A: f32[m, n], B: f32[2, 3], K: f32[2 * m, 3 * n]):
    for i in seq(0, 2 * m):
        for j in seq(0, 3 * n):
            K[i, j] = A[i / 2, j / 3] * B[i % 2, j % 3]
