# Windows of rank 0: a formal argument, a statement, and a cell passed for each kind of scalar.
# covers: f32, scalar, tensor, window-0d, window-stmt, cell-argument, alloc-scalar, calls, reduction
from __future__ import annotations
from exo import *


@proc
def bump(x: [f32], d: f32):
    x += d


@proc
def window_zero_d(n: size, x: f32[n], A: f32[n, n]):
    for i in seq(0, n):
        bump(x[i], A[i, i])
        corner: [f32] = A[i, n - 1]
        corner = 2.0 * x[i]
        d: f32
        d = 1.0
        bump(corner, d)
