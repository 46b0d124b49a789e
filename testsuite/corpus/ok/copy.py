# y = x: dense, strided, and from a matrix row into a vector.
# covers: blas1, f32, tensor, window, calls, index-arg, asserts, chained, omitted-ends
from __future__ import annotations
from exo import *


@proc
def copy_dense(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def copy(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = x[i]


@proc
def copy_row(m: size, n: size, i: index, A: f32[m, n], y: f32[n]):
    assert 0 <= i < m
    copy(n, A[i, :], y)
