# A matrix with one index, used as a whole, is a row: the last dimension's ends are filled in.
# covers: f32, tensor, window, window-stmt, window-row, calls
from __future__ import annotations
from exo import *


@proc
def double_row(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]


@proc
def whole_row_argument(m: size, n: size, A: f32[m, n]):
    for i in seq(0, m):
        double_row(n, A[i])
    first = A[0]
    double_row(n, first)
