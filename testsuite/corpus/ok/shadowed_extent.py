# Names in a shape that are bound again: buffers keep the extents of their own declaration.
# covers: f32, tensor, alloc, alloc-in-loop, reduction, shadowing
from __future__ import annotations
from exo import *


@proc
def shadowed_extent(m: size, n: size, A: f32[m, n], y: f32[m]):
    t: f32[n, m]
    for i in seq(0, m):
        for j in seq(0, n):
            t[j, i] = A[i, j]
    for n in seq(0, n):
        for m in seq(0, m):
            y[m] += A[m, n] * t[n, m]
            u: f32[m + 1, 2]
            for j in seq(0, m + 1):
                u[j, 1] = A[j, n]
            for m in seq(0, m):
                y[m] += u[m, 1]
