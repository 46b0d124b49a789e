# x = U * x in place: a non-unit and a unit diagonal, each a procedure of its own.
# covers: blas2, triangular, f64, window, reduction
from __future__ import annotations
from exo import *


@proc
def trmv_upper(n: size, U: [f64][n, n], x: [f64][n]):
    for i in seq(0, n):
        x[i] = U[i, i] * x[i]
        for j in seq(i + 1, n):
            x[i] += U[i, j] * x[j]


@proc
def trmv_upper_unit(n: size, U: [f64][n, n], x: [f64][n]):
    for i in seq(0, n):
        for j in seq(i + 1, n):
            x[i] += U[i, j] * x[j]
