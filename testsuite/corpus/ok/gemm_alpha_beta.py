# C = alpha * A * B + beta * C, with beta = 0 as a case that does not read C.
# covers: blas3, f32, scalar, window, alloc-scalar, bool-arg, if, else, reduction
from __future__ import annotations
from exo import *


@proc
def gemm_alpha_beta(
    m: size,
    n: size,
    p: size,
    overwrite: bool,
    alpha: f32,
    beta: f32,
    A: [f32][m, p],
    B: [f32][p, n],
    C: [f32][m, n],
):
    for i in seq(0, m):
        for j in seq(0, n):
            acc: f32
            acc = 0.0
            for k in seq(0, p):
                acc += A[i, k] * B[k, j]
            if overwrite:
                C[i, j] = alpha * acc
            else:
                C[i, j] = alpha * acc + beta * C[i, j]
