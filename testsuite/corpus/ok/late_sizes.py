# Shapes that mention sizes declared after them, and control arguments between the buffers.
# covers: f32, scalar, tensor, window, calls, omitted-ends
from __future__ import annotations
from exo import *


@proc
def scale_block(A: [f32][m, n], m: size, a: f32, n: size):
    for i in seq(0, m):
        for j in seq(0, n):
            A[i, j] = a * A[i, j]


@proc
def late_sizes(x: f32[n, k + 1], k: size, a: f32, n: size):
    scale_block(x[:, 1:], n, a, k)
    scale_block(x, n, a, k + 1)
