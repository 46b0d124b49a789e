# The edit distance of two sequences given as differences of their symbols, in a table.
# covers: scan, f32, tensor, alloc-scalar, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import fminf


@proc
def edit_distance(n: size, m: size, cost: f32[n, m], d: f32[n + 1, m + 1]):
    d[0, 0] = 0.0
    for i in seq(0, n):
        d[i + 1, 0] = d[i, 0] + 1.0
    for j in seq(0, m):
        d[0, j + 1] = d[0, j] + 1.0
    for i in seq(0, n):
        for j in seq(0, m):
            best: f32
            best = fminf(d[i, j + 1], d[i + 1, j]) + 1.0
            d[i + 1, j + 1] = fminf(best, d[i, j] + cost[i, j])
