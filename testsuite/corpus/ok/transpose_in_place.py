# Transposes a square matrix in place by exchanging the two triangles.
# covers: transpose, triangular, f32, window, alloc-scalar
from __future__ import annotations
from exo import *


@proc
def transpose_in_place(n: size, A: [f32][n, n]):
    for i in seq(0, n):
        for j in seq(i + 1, n):
            t: f32
            t = A[i, j]
            A[i, j] = A[j, i]
            A[j, i] = t
