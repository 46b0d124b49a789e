# Single precision product that packs a panel of B before it is used by each block of rows.
# covers: blas3, tiling, f32, tensor, alloc, alloc-in-loop, if, else, reduction, quasi-affine
from __future__ import annotations
from exo import *


@proc
def sgemm_packed(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    for jo in seq(0, (N + 7) / 8):
        panel: f32[K, 8]
        for k in seq(0, K):
            for ji in seq(0, 8):
                if 8 * jo + ji < N:
                    panel[k, ji] = B[k, 8 * jo + ji]
                else:
                    panel[k, ji] = 0.0
        for i in seq(0, M):
            for ji in seq(0, 8):
                if 8 * jo + ji < N:
                    for k in seq(0, K):
                        C[i, 8 * jo + ji] += A[i, k] * panel[k, ji]
