# Lengths of shortest paths between all pairs, in the (min, +) arithmetic.
# covers: triangular, f32, tensor, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import fminf


@proc
def floyd_warshall(n: size, d: f32[n, n]):
    for k in seq(0, n):
        for i in seq(0, n):
            for j in seq(0, n):
                d[i, j] = fminf(d[i, j], d[i, k] + d[k, j])
