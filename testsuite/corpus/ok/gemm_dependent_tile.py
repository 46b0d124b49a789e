# A product in tiles whose last ones are narrower: the extent of a tile is a control argument.
# covers: blas3, tiling, f32, tensor, window, calls, if, reduction, quasi-affine, asserts, omitted-ends
from __future__ import annotations
from exo import *


@proc
def tile_product(m: size, n: size, p: size, A: [f32][m, p], B: [f32][p, n], C: [f32][m, n]):
    assert m <= 4
    for i in seq(0, m):
        for j in seq(0, n):
            for k in seq(0, p):
                C[i, j] += A[i, k] * B[k, j]


@proc
def gemm_dependent_tile(m: size, n: size, p: size, A: f32[m, p], B: f32[p, n], C: f32[m, n]):
    for io in seq(0, m / 4):
        tile_product(4, n, p, A[4 * io : 4 * io + 4, :], B[:, :], C[4 * io : 4 * io + 4, :])
    if m % 4 > 0:
        tile_product(
            m % 4,
            n,
            p,
            A[m - m % 4 : m, :],
            B[:, :],
            C[m - m % 4 : m, :],
        )
