# x = U * x in place for an upper band matrix with three diagonals.
# covers: blas2, f32, tensor, if, reduction, constants
from __future__ import annotations
from exo import *

DIAGONALS = 3


@proc
def tbmv_upper(n: size, band: f32[n, DIAGONALS], x: f32[n]):
    for i in seq(0, n):
        x[i] = band[i, 0] * x[i]
        for d in seq(1, DIAGONALS):
            if i + d < n:
                x[i] += band[i, d] * x[i + d]
