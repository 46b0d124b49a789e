# Sums of columns through column windows: every read has the row length as its stride.
# covers: f32, scalar, tensor, window, cell-argument, calls, reduction, omitted-ends
from __future__ import annotations
from exo import *


@proc
def total(n: size, x: [f32][n], s: f32):
    s = 0.0
    for i in seq(0, n):
        s += x[i]


@proc
def window_columns(m: size, n: size, A: f32[m, n], s: f32[n]):
    for j in seq(0, n):
        total(m, A[:, j], s[j])
