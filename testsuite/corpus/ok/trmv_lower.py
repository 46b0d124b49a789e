# x = L * x in place, from the last row up so that old values are still there when needed.
# covers: blas2, triangular, f32, window, alloc-scalar, bool-arg, if, else, reduction
from __future__ import annotations
from exo import *


@proc
def trmv_lower(n: size, unit: bool, L: [f32][n, n], x: [f32][n]):
    for k in seq(0, n):
        acc: f32
        if unit:
            acc = x[n - 1 - k]
        else:
            acc = L[n - 1 - k, n - 1 - k] * x[n - 1 - k]
        for j in seq(0, n - 1 - k):
            acc += L[n - 1 - k, j] * x[j]
        x[n - 1 - k] = acc
