# Rewrites a row-major matrix into blocks of 4 by 4, each block dense.
# covers: tiling, f32, tensor, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def blocked_layout(m: size, n: size, A: f32[m, n], blocks: f32[m / 4, n / 4, 4, 4]):
    assert m % 4 == 0
    assert n % 4 == 0
    for i in seq(0, m):
        for j in seq(0, n):
            blocks[i / 4, j / 4, i % 4, j % 4] = A[i, j]
