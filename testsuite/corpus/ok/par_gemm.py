# A matrix product whose rows run in parallel, each with its own accumulator.
# covers: blas3, f64, window, alloc-scalar, parallel, reduction
from __future__ import annotations
from exo import *


@proc
def par_gemm(m: size, n: size, p: size, A: [f64][m, p], B: [f64][p, n], C: [f64][m, n]):
    for i in par(0, m):
        for j in seq(0, n):
            acc: f64
            acc = 0.0
            for k in seq(0, p):
                acc += A[i, k] * B[k, j]
            C[i, j] = acc
