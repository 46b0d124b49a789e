# Rows of a matrix scaled in parallel: every iteration has a row of its own.
# covers: f32, scalar, tensor, parallel
from __future__ import annotations
from exo import *


@proc
def par_rows(m: size, n: size, a: f32, A: f32[m, n]):
    for i in par(0, m):
        for j in seq(0, n):
            A[i, j] = a * A[i, j]
