# Extents and trip counts of one, written as literals and as arguments bound to one.
# covers: f32, tensor, window, alloc, calls, reduction
from __future__ import annotations
from exo import *


@proc
def sum_all(m: size, n: size, A: [f32][m, n], s: f32[1]):
    s[0] = 0.0
    for i in seq(0, m):
        for j in seq(0, n):
            s[0] += A[i, j]


@proc
def size_one(A: f32[1, 1], B: f32[1, 3], s: f32[1]):
    t: f32[1]
    sum_all(1, 1, A, t)
    sum_all(1, 3, B, s)
    for i in seq(0, 1):
        s[i] += t[i]
    sum_all(1, 1, B[0:1, 2:3], t)
    s[0] += t[0]
