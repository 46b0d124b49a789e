# The symmetric rank-one update of one triangle: lower, then upper.
# covers: blas2, triangular, f32, scalar, window, reduction
from __future__ import annotations
from exo import *


@proc
def syr_lower(n: size, alpha: f32, x: [f32][n], A: [f32][n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            A[i, j] += alpha * x[i] * x[j]


@proc
def syr_upper(n: size, alpha: f32, x: [f32][n], A: [f32][n, n]):
    for i in seq(0, n):
        for j in seq(i, n):
            A[i, j] += alpha * x[i] * x[j]
