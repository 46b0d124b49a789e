# B = A^T, and the same through a window of the output's columns.
# covers: transpose, f32, tensor, window, window-stmt, calls, omitted-ends
from __future__ import annotations
from exo import *


@proc
def transpose(m: size, n: size, A: [f32][m, n], B: [f32][n, m]):
    for i in seq(0, m):
        for j in seq(0, n):
            B[j, i] = A[i, j]


@proc
def copy_vector(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def transpose_by_columns(m: size, n: size, A: f32[m, n], B: f32[n, m]):
    for i in seq(0, m):
        row = A[i, :]
        col = B[:, i]
        copy_vector(n, row, col)
