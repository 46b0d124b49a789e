# Squared distances of points, computed for one triangle and mirrored.
# covers: triangular, f32, tensor, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def pairwise_distance(n: size, d: size, x: f32[n, d], r: f32[n, n]):
    for i in seq(0, n):
        r[i, i] = 0.0
        for j in seq(0, i):
            acc: f32
            acc = 0.0
            for k in seq(0, d):
                acc += (x[i, k] - x[j, k]) * (x[i, k] - x[j, k])
            r[i, j] = acc
            r[j, i] = acc
