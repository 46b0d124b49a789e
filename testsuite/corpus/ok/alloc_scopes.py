# Buffers with extents that depend on a loop variable, allocated and forgotten each time.
# covers: triangular, f32, tensor, alloc, alloc-scalar, alloc-in-loop, if, else, reduction, quasi-affine
from __future__ import annotations
from exo import *


@proc
def alloc_scopes(n: size, A: f32[n, n], y: f32[n]):
    for i in seq(0, n):
        row: f32[i + 1]
        for j in seq(0, i + 1):
            row[j] = A[i, j]
        if i % 2 == 0:
            acc: f32
            acc = row[i]
            for j in seq(0, i):
                acc += row[j]
            y[i] = acc
        else:
            acc: f32
            acc = 1.0
            y[i] = acc * row[0]
