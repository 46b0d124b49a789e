# C += B * A for a symmetric A: a guard picks the stored upper half.
# covers: blas3, f64, window, if, else, reduction
from __future__ import annotations
from exo import *


@proc
def symm_right(m: size, n: size, A: [f64][n, n], B: [f64][m, n], C: [f64][m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, n):
                if k <= j:
                    C[i, j] += B[i, k] * A[k, j]
                else:
                    C[i, j] += B[i, k] * A[j, k]
