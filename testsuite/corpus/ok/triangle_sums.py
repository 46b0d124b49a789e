# Sums over the four triangles of a square, each loop bound depending on the loop around it.
# covers: triangular, f32, tensor, reduction
from __future__ import annotations
from exo import *


@proc
def triangle_sums(n: size, A: f32[n, n], s: f32[4]):
    for t in seq(0, 4):
        s[t] = 0.0
    for i in seq(0, n):
        for j in seq(0, i):
            s[0] += A[i, j]
        for j in seq(i + 1, n):
            s[1] += A[i, j]
        for j in seq(0, n - i):
            s[2] += A[i, j]
        for j in seq(n - i, n):
            s[3] += A[i, j]
