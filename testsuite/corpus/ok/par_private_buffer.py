# Parallel iterations that stage a row in a buffer of their own and write disjoint columns.
# covers: f32, tensor, alloc, alloc-in-loop, parallel, reduction
from __future__ import annotations
from exo import *


@proc
def par_private_buffer(m: size, n: size, A: f32[m, n], B: f32[n, m]):
    for i in par(0, m):
        row: f32[n]
        for j in seq(0, n):
            row[j] = A[i, j]
        for j in seq(1, n):
            row[j] += row[j - 1]
        for j in seq(0, n):
            B[j, i] = row[j]
