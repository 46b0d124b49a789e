# A contraction of two rank-3 tensors over two of their axes.
# covers: blas3, f64, tensor, reduction
from __future__ import annotations
from exo import *


@proc
def tensor_contraction(
    a: size, b: size, c: size, d: size, X: f64[a, c, d], Y: f64[d, c, b], Z: f64[a, b]
):
    for i in seq(0, a):
        for j in seq(0, b):
            Z[i, j] = 0.0
            for k in seq(0, c):
                for l in seq(0, d):
                    Z[i, j] += X[i, k, l] * Y[l, k, j]
